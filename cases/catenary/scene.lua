-- A heavy soft rod hangs between two clamps as far apart as it is long (PyElastica, CatenaryCase).
-- solve: static
-- plot: --plane xz
local radius = 0.01
local A = math.pi * radius ^ 2

return {
  title   = "catenary",
  rod     = {
    length = 1, section = circle { diameter = 2 * radius },
    material = { young = 1e4, poisson = 0.5, density = 0.2 / A },
  },
  gravity = { 0, 0, -9.80665 },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped {} },
  path    = { from = 0, to = 1, steps = 10 },
  method  = "director",
  options = { n = 256 },
}
