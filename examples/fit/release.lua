-- A silicone strand with a weighed bead at its tip, held level and let go; filmed from the side.
local p = params {
  young   = { 3e6, 1e5, 1e8, "Pa", "stiffness" },
  viscous = { 2e-3, 1e-5, 1e-1, "s", "damping: stress per rate of strain over Young's modulus" },
}
return {
  title   = "filmed release",
  rod     = { length = 0.1, section = circle { diameter = 0.01 }, damping = { time = p.viscous },
              material = { young = p.young, shear = p.young / 3, density = 1100 },
              rest = straight { along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  ends    = { start = clamped {}, finish = free { mass = 2e-3 } },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 0.6, output = 0.01 },
  probes  = { tip = { at = 0.1, what = "position" } },
  method  = "director",
  options = { n = 4, degree = 2, dt = 2.5e-3 },
}
