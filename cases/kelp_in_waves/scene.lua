-- Five stems of kelp, a little lighter than water, sway in a wave and lean with the current.
-- plot: --shapes --plane xz --count 9 --from 12
local L, d = 3, 0.02                    -- length and diameter of a stem [m]
local rods = {}
for i = 1, 5 do
  local x = 1.2 * (i - 3)
  rods[i] = {
    length = L, section = circle { diameter = d }, material = { young = 2e6, poisson = 0.45, density = 950 },
    fluid = { drag = { normal = 1.2, tangential = 0.03 }, added = { normal = 1 } },
    initial = { shape = straight { from = { x, 0, -4 }, along = { 0, 0, 1 } } },
    ends = { start = clamped {} },
  }
end
return {
  title   = "kelp in waves",
  rods    = rods,
  medium  = { density = 1025, surface = 0, depth = 4, current = { 0.1, 0, 0 },
              waves = airy { height = 0.6, period = 4, direction = { 1, 0, 0 } }, ramp = 4 },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 16, output = 0.1 },
  probes  = { tip = { rod = 3, at = L, what = "position" }, water = { rod = 3, at = L, what = "fluid" }, drag = { rod = 3, at = L, what = "drag" } },
  method  = "director",
  options = { n = 6, dt = 0.02 },
}
