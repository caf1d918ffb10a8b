-- A short thick beam under an end load: bending and shear (PyElastica, TimoshenkoBeamCase).
-- solve: static
return {
  title   = "Timoshenko beam",
  rod     = {
    length = 3, section = circle { diameter = 0.5, shear_factor = 27 / 28 },
    material = { young = 1e6, shear = 1e4, density = 5000 },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { force = { 0, -15, 0 } } },
  path    = { from = 0, to = 1, steps = 10 },
  method  = "director",
  options = { n = 8 },
}
