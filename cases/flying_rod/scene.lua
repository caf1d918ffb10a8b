-- A rubber rod, thrown bent and spinning: no load acts on it; energy and momenta are conserved.
-- plot: --shapes --plane 3d
local L, D, E = 0.1, 0.01, 1e6
return {
  title   = "flying rod",
  rod     = { length = L, section = circle { diameter = D }, material = { young = E, shear = E / 3, density = 1000 },
              rest = straight {} },
  initial = {
    strain   = function(s) return 0, 0, 0, 8 * math.cos(40 * s), 12 + 60 * s, 10 end,
    velocity = { 0.3, 0.1, -0.2 },
    spin     = { 1, 6.4, 2 },
  },
  ends    = { start = free {}, finish = free {} },
  time    = { stop = 1, output = 0.05 },
  probes  = { middle = { at = L / 2, what = "position" } },
  method  = "director",
  options = { n = 10, degree = 3, dt = 4e-4 },
}
