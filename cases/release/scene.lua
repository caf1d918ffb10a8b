-- A rubber cantilever, bent to an eighth of a circle and let go (scene S1 of the speed comparison).
-- plot: --shapes --plane xy --count 21
local L, D, E = 0.1, 0.01, 1e6
return {
  title   = "release",
  rod     = { length = L, section = circle { diameter = D }, material = { young = E, shear = E / 3, density = 1000 },
              rest = straight {} },
  initial = { shape = arc { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 }, radius = L / (math.pi / 4) } },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 0.5, output = 0.0125 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 6, degree = 3, dt = 1e-3 },
}
