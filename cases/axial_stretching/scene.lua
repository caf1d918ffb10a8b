-- A soft rod pulled along its axis (PyElastica, AxialStretchingCase).
-- solve: static
return {
  title   = "axial stretching",
  rod     = {
    length = 1, section = circle { diameter = 0.05 },
    material = { young = 1e4, poisson = 0.5, density = 1000 },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { force = { 1, 0, 0 } } },
  path    = { from = 0, to = 1, steps = 10 },
  method  = "director",
  options = { n = 4 },
}
