-- A ring of strip is pressed between two plates.
-- solve: static
-- plot: --shapes --plane xz
-- plot force: --what plate.z
local r = 1e-3 -- half the thickness; the ring has radius 1, EI = 1 in its plane, and is stiff across it
local round = arc { radius = 1, from = { 0, 0, -1 }, along = { 1, 0, 0 }, normal = { 0, 0, 1 } }
return {
  title     = "ring between plates",
  rod       = { length = 2 * math.pi, stiffness = { bend = { 1e3, 1 }, twist = 1e3, stretch = 1e6, shear = 1e6 }, inertia = { mass = 1 }, radius = r, rest = round },
  initial   = { shape = round },
  obstacles = { plane { name = "above", point = function(t) return 0, 0, 1 + r - t end, normal = { 0, 0, -1 }, stiffness = 1e7 },
                plane { name = "below", point = { 0, 0, -1 - r }, stiffness = 1e7 } },
  ends      = { start = clamped {}, finish = clamped {} },
  path      = { from = 0, to = 0.35, steps = 7 },
  probes    = { plate = { obstacle = "above" }, side = { at = math.pi / 2 } },
  method    = "director",
  options   = { n = 28, degree = 3 },
}
