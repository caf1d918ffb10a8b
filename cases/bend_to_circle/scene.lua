-- An end moment 2 pi EI/L bends a cantilever into a circle (MuJoCo, CantileverIntoCircle).
-- solve: static
-- plot: --plane xy
return {
  title   = "bend to a circle",
  rod     = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { moment = { 0, 0, 2 * math.pi } } },
  path    = { from = 0, to = 1, steps = 8 },
  method  = "director",
  options = { n = 16, degree = 4 },
}
