-- A cantilever under a uniform load q that stays across the rod, from q L^3/EI = 1 to 25 (PyElastica, CantileverDistributedLoad).
-- solve: static
-- plot: --plane xy
return {
  title   = "cantilever, follower load",
  rod     = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, -- inextensible, unshearable
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free {} },
  loads   = { distributed { force = { 1, 0, 0 }, follower = true } }, -- along d1, times the factor
  path    = { from = 1, to = 25, steps = 12 },
  method  = "director",
  options = { n = 16, degree = 4 },
}
