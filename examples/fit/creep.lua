-- A polymer rod under a weight at its tip: at once it bends, then it creeps.  creep.csv has the place of the tip
-- with noise of 0.02 mm; it was made with share = 0.4 and time = 0.02.
local p = params { share = 0.2, time = 0.1 }
return {
  rod = { length = 0.2, section = circle { diameter = 4e-3 },
          material = { young = 3e9, poisson = 0.35, density = 1200 },
          law = viscoelastic { terms = { { p.share, p.time } }, static = "sudden" } },
  initial = static { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends = { start = clamped {}, finish = free { force = { 0, 0, -0.3 } } },
  probes = { tip = { at = 0.2, what = "position", every = 2e-3 } },
  time = { stop = 0.1, output = 0.01 },
  method = "director", options = { n = 8, dt = 1e-3 },
}
