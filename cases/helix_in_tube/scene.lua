-- A heavy rod in a tube is pushed harder and harder: it snakes along the bottom, climbs the wall and winds itself into a helix.
-- plot sides: --profile contact --count 4
local p = params {
  to = { 1.8, 1, 3, "", "largest load, over that at which a long rod snakes" },
  n  = { 120, 40, 400, "", "elements" },
}
local EI, w, c, r, stop = 1, 1, 0.01, 0.002, 60 -- c: clearance
local F = 2 * math.sqrt(EI * w / c)
local L = 3.85 * 2 * math.pi * (EI * c / w) ^ 0.25
return {
  title     = "helical buckling in a tube",
  rod       = { length = L, stiffness = { bend = EI, twist = EI, stretch = 1e6, shear = 1e6 }, inertia = { mass = w, rotary = 1e-5 }, radius = r,
                damping = { time = 1e-3 }, drag = { linear = 3, spin = 1e-3 } },
  initial   = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } },
  obstacles = { cylinder { name = "tube", point = { 0, 0, c }, along = { 1, 0, 0 }, radius = c + r, inside = true, stiffness = 1e5, damping = 10 } },
  loads     = { distributed { force = function(s, t) return 0, 1e-2 * math.cos(7 * s + 1), -w end } }, -- a little to the side
  ends      = { start = pinned {}, finish = roller { along = { 1, 0, 0 }, force = function(t) return -F * (0.9 + (p.to - 0.9) * math.min(1, t / (0.9 * stop))), 0, 0 end } },
  time      = { stop = stop, output = 1 },
  probes    = { tip = { at = L } },
  method    = "director",
  options   = { n = p.n, degree = 1, dt = 0.05, xi = 0.5 },
}
