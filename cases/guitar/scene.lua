-- The six open strings of a guitar, E2 A2 D3 G3 B3 E4, strummed: six rods in one run.
-- plot: --spectrum e2 --spectrum b3 --spectrum e4 --size 1000x1100
-- sound: --mono
-- replay: --set time.stop=0.05 --set time.output=1/5280
local L = 0.65 -- scale length [m]
local strings = { -- frequency [Hz], diameter of the steel core [mm], mass per length [g/m]
  { name = "e2", f = 82.4069, core = 0.46, mass = 6.80 },
  { name = "a2", f = 110.0000, core = 0.42, mass = 4.20 },
  { name = "d3", f = 146.8324, core = 0.38, mass = 2.30 },
  { name = "g3", f = 195.9977, core = 0.43 },
  { name = "b3", f = 246.9417, core = 0.33 },
  { name = "e4", f = 329.6276, core = 0.254 },
}

local rods, probes = {}, {}
for i, string in ipairs(strings) do
  local area = math.pi / 4 * (string.core * 1e-3) ^ 2
  -- the winding adds mass, not stiffness; all strings are of the same steel
  local mass = string.mass and string.mass * 1e-3 or 7800 * area
  -- L (2 f)^2 times the mass of the stretched string; stretching thins it out
  local flexible, stretch = mass * (2 * L * string.f) ^ 2, 1
  for _ = 1, 20 do stretch = 1 + flexible / stretch / (2.0e11 * area) end
  local tension = flexible / stretch
  local x = 0.01 * i
  rods[i] = {
    name    = string.name, length = L, tension = tension,
    section = circle { diameter = string.core * 1e-3 },
    material = { young = 2.0e11, poisson = 0.3, density = mass / area },
    damping = { time = 2e-8 }, drag = { linear = 2e-4 },
    ends    = { start = pinned { position = { x, 0, 0 } }, finish = pinned { position = { x, 0, L } } },
    initial = { shape = pluck { at = L / 6, height = 0.5e-3, direction = { 0, 1, 0 } } },
  }
  probes[string.name] = { rod = i, at = 0.1 * L, what = "velocity", every = 1 / 44100 }
end

return {
  title   = "guitar, six open strings",
  rods    = rods,
  time    = { stop = 1.0, output = 0.01 },
  probes  = probes,
  method  = "fdtd",
  options = { n = 40, order = 4, inertia = "regularised", dt = 6e-7 },
}
