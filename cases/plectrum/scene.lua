-- A plectrum pushes a string aside, bends it until it slips off, and leaves it to sound.
-- plot: --what place.y --what place.z --what plectrum.y
local L, r, R, at = 0.65, 2.5e-4, 5e-3, 0.12 -- string; radius of the tip of the plectrum, and where it plucks
return {
  title     = "string plucked by a plectrum",
  rod       = { length = L, section = circle { diameter = 2 * r }, material = { young = 2e11, poisson = 0.3, density = 7850 }, tension = 60,
                damping = { time = 1e-6 }, drag = { linear = 2e-3 } },
  initial   = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } },
  obstacles = { sphere { name = "plectrum", radius = R, friction = 0.1, stiffness = 1e7,
                         center = function(t) return at, -1.2 * (R + r) + 0.8 * t, -0.5 * (R + r) end } },
  ends      = { start = pinned {}, finish = pinned {} },
  time      = { stop = 0.03, output = 2.5e-4 },
  probes    = { place = { at = at }, pickup = { at = 0.5 }, plectrum = { obstacle = "plectrum" } },
  method    = "director",
  options   = { n = 100, degree = 1, dt = 2e-5 },
}
