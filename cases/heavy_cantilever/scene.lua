-- A rubber cantilever sags under its own weight, and its equilibria as gravity grows.
-- withy run: scene S2 of the speed comparison; withy static: the path; withy modes: about the sag.
-- solve: static
-- plot: --shapes --plane xy
local L, D, E = 0.1, 0.01, 1e6
return {
  title   = "heavy cantilever",
  rod     = { length = L, section = circle { diameter = D }, material = { young = E, shear = E / 3, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free {} },
  gravity = { 0, -9.81, 0 },
  time    = { stop = 0.5, output = 0.0125 },
  path    = { from = 0, to = 20, steps = 20 }, -- multiples of gravity
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 4, degree = 3, dt = 1e-3 },
}
