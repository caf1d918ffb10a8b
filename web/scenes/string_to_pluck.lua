-- A soft string to pluck: press Live, draw it aside with mouse or finger, let go, and hear it.
local p = params { f = { 196, 80, 330, "Hz", "what it is tuned to" } }
local L, d, young, density = 0.65, 1.0e-3, 3.0e9, 1150 -- nylon
local area = math.pi / 4 * d ^ 2
local mass = density * area
-- mass (2 L f)^2, of the stretched string
local flexible, stretch = mass * (2 * L * p.f) ^ 2, 1
for _ = 1, 20 do stretch = 1 + flexible / stretch / (young * area) end
local T = flexible / stretch
return {
  title   = "a string to pluck",
  rod     = {
    length = L, tension = T, section = circle { diameter = d },
    material = { young = young, poisson = 0.4, density = density },
    damping = { time = 4e-7 }, drag = { linear = 4e-4 },
  },
  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { L, 0, 0 } } },
  initial = { shape = pluck { at = L / 6, height = 2e-3, direction = { 0, 0, 1 } } },
  time    = { stop = 0.5, output = 4e-4 },
  probes  = { near_the_bridge = { at = 0.1 * L, what = "velocity", every = 1 / 44100 } },
  method  = "fdtd",
  options = { n = 24, order = 4, inertia = "regularised" },
}
