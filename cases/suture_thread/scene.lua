-- A suture thread, held at both ends, pulled 5 mm aside in the middle and let go (PyElastica#25).
-- plot: --probes --to 0.3
local L, r = 0.1, 2e-4
return {
  title   = "suture thread",
  rod     = { length = L, section = circle { diameter = 2 * r },
              material = { young = 7.5e8, shear = 2.5e8, density = 1000 } },
  ends    = { start = clamped { position = { 0, 0, 0 } }, finish = clamped {} },
  initial = static {
    shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } },
    loads = { point { at = L / 2, force = { 0, 0.1018, 0 } } },
  },
  time    = { stop = 2, output = 0.05 },
  probes  = { middle = { at = L / 2, what = "position", every = 1e-3 } },
  method  = "director",
  options = { n = 50, degree = 1, dt = 1e-3 },
}
