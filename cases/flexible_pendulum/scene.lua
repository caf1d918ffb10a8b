-- A rubber rod, pinned at one end and let go from the horizontal (PyElastica, FlexibleSwingingPendulumCase).
-- plot: --plane xz
return {
  title   = "flexible pendulum",
  rod     = {
    length = 1, section = circle { diameter = 0.01 },
    material = { young = 5e6, poisson = 0.5, density = 1100 },
  },
  gravity = { 0, 0, -9.81 },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  ends    = { start = pinned {}, finish = free {} },
  time    = { stop = 1, output = 0.05 },
  probes  = { tip = { at = 1, what = "position" } },
  method  = "director",
  options = { n = 16, dt = 0.0025, order = 4 },
}
