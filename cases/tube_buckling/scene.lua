-- A heavy rod that lies in a tube is pushed from one end: where it would snake up the wall its straight shape is unstable.
-- solve: static
-- with: --branch
-- plot contact: --profile contact
local EI, w, c, r = 1, 1, 0.01, 0.002         -- bending stiffness, weight per length, clearance, radius of the rod
local F = 2 * math.sqrt(EI * w / c)           -- load at which a long rod snakes
local L = 3.85 * 2 * math.pi * (EI * c / w) ^ 0.25
return {
  title     = "rod in a tube",
  rod       = { length = L, stiffness = { bend = EI, twist = EI, stretch = 1e6, shear = 1e6 }, inertia = { mass = w }, radius = r },
  initial   = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } },
  obstacles = { cylinder { name = "tube", point = { 0, 0, c }, along = { 1, 0, 0 }, radius = c + r, inside = true, stiffness = 1e6 } },
  loads     = { distributed { force = function(s, t) return 0, 0, -w end } },
  ends      = { start = pinned { spring_turn = 1e-6 }, finish = roller { along = { 1, 0, 0 }, force = { -1.1 * F, 0, 0 } } },
  path      = { from = 0, to = 1, steps = 11 },
  probes    = { tip = { at = L } },
  method    = "director",
  options   = { n = 20, degree = 3 },
}
