-- Two fibres side by side are turned about each other at one end and wind up into a yarn of two plies.
-- plot: --shapes --view3d --count 3
-- plot torque: --what torque.x
local p = params {
  turns = { 4, 0, 8, "", "of the far ends about each other" },
  take  = { 0.05, 0, 0.2, "m", "how much nearer the ends come meanwhile" },
}
local L, r, d, wind = 0.5, 4e-3, 0.02, 1.6 -- length, radius, distance of the ends, time of winding
local function angle(t) return 2 * math.pi * p.turns * math.min(1, t / wind) end
local function fibre(name, side)
  return { name = name, length = L, section = circle { diameter = 2 * r }, material = { young = 1e6, poisson = 0.4, density = 1000 },
           damping = { time = 2e-3 }, drag = { linear = 0.3, spin = 1e-5 },
           initial = { shape = straight { from = { 0, side * d / 2, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
           ends = { start = clamped {},
                    finish = clamped { tangent = { 1, 0, 0 }, normal = function(t) local a = angle(t) return 0, math.cos(a), math.sin(a) end,
                                       position = function(t)
                                         local a = angle(t)
                                         return L - p.take * math.min(1, t / wind), side * d / 2 * math.cos(a), side * d / 2 * math.sin(a)
                                       end } } }
end
return {
  title   = "yarn of two fibres",
  rods    = { fibre("one", 1), fibre("two", -1) },
  contact = { friction = 0.2, pair = 2e3, damping = 0.5 },
  time    = { stop = 2.2, output = 0.05 },
  probes  = { torque = { rod = "one", at = 0, what = "moment" } },
  method  = "director",
  options = { n = 60, degree = 1, dt = 2e-3, xi = 0.5 },
}
