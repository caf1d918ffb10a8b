-- A force that always pushes across the tip, P L^2/EI = 0 .. 30: the cantilever winds itself up.
-- solve: static
-- plot: --shapes --plane xy
local L, r = 1, 1e-2
local I = math.pi / 4 * r ^ 4
local E = 1 / I -- EI = 1
return {
  title   = "follower force",
  rod     = { length = L, section = circle { diameter = 2 * r }, material = { young = E, shear = E / 3, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { force = { 30, 0, 0 }, follower = true } }, -- along d1
  path    = { from = 0, to = 1, steps = 30 },
  time    = { stop = 1 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 10, degree = 3, dt = 1e-2 },
}
