-- A pneumatic finger: pressure in a hollow below its centreline lifts it.
-- solve: static
-- plot: --shapes --every 2
-- plot angle: --probes
local L, width, height = 0.1, 15e-3, 12e-3
local area, offset, most = 6e-5, 4e-3, 80e3          -- of the hollow, from the centreline [m^2], [m]; pressure [Pa]

return {
  title   = "pneumatic finger",
  rod     = { length = L, section = rectangle { width = height, height = width },
              material = { young = 5e5, poisson = 0.49, density = 1100 } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  ends    = { start = clamped {} },
  gravity = { 0, 0, -9.81 },
  loads   = { chamber { route = { -offset, 0 }, area = area, pressure = function(t) return most * t end } },
  path    = { from = 0, to = 1, steps = 10 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 8 },
}
