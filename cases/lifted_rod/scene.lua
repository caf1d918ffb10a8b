-- A heavy rod on a floor is lifted at one end; the rest stays down, pressed hardest where it leaves the floor.
-- solve: static
-- plot: --shapes --plane xz
-- plot contact: --profile contact
local L, H, r = 5, 1, 1e-3 -- EI = 1, weight 1 per length, lifted by 1
return {
  title     = "rod lifted from a floor",
  rod       = { length = L, stiffness = { bend = 1, twist = 1, stretch = 1e6, shear = 1e6 }, inertia = { mass = 1 }, radius = r },
  initial   = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } },
  loads     = { distributed { force = function(s, t) return 0, 0, -1 end } }, -- a function: the same along the path
  obstacles = { plane { name = "floor", point = { 0, 0, -r }, stiffness = 1e7 } },
  ends      = { start = clamped {}, finish = roller { along = { 1, 0, 0 }, position = function(t) return L, 0, H * t end } },
  path      = { from = 0, to = 1, steps = 5 },
  probes    = { floor = { obstacle = "floor", what = "force" }, tip = { at = L } },
  method    = "director",
  options   = { n = 40, degree = 3 },
}
