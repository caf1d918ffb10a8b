-- A thread is let down onto a moving belt faster than the belt carries it away, and lays itself in loops.
-- plot: --shapes --view3d --count 1 --from 3.29
-- plot above: --shapes --plane xy --count 1 --from 3.29
local p = params {
  belt = { 0.06, 0, 1, "m/s", "speed of the belt" },
  feed = { 0.3, 0, 1, "m/s", "speed at which the thread comes down" },
}
local r, L, a, foot, rho = 1.5e-3, 1.2, 0.04, 0.06, 1180
local function place(s) -- a foot on the belt, a quarter of a circle, and up
  if s < foot then return s - foot - a, 0, r end
  local q = (s - foot) / a
  if q < math.pi / 2 then return a * (math.sin(q) - 1), 0, r + a * (1 - math.cos(q)) end
  return 0, 0, r + a + s - foot - a * math.pi / 2
end
local _, _, top = place(L)
local function way(t) return t < 0.1 and 5 * t * t or t - 0.05 end -- both start gently
return {
  title     = "coiling on a belt",
  rod       = { length = L, section = circle { diameter = 2 * r }, material = { young = 4e5, poisson = 0.5, density = rho },
                damping = { time = 5e-3 }, drag = { linear = 0.05 } },
  initial   = { shape = curve(place) },
  gravity   = { 0, 0, -9.81 },
  loads     = { distributed { force = function(s, t) return 0, 0.02 * math.exp(-20 * t), 0 end } }, -- a breath of wind at the start
  contact   = { stiffness = 1e5, pair = 50, friction = 0.5, damping = 3 },
  obstacles = { plane { name = "belt", point = function(t) return -p.belt * way(t), 0, 0 end } },
  ends      = { finish = clamped { position = function(t) return 0, 0, top - p.feed * way(t) end, tangent = { 0, 0, 1 } } },
  time      = { stop = 3.3, output = 0.05 },
  probes    = { foot = { at = 0 }, belt = { obstacle = "belt" } },
  method    = "director",
  options   = { n = 240, degree = 1, dt = 2.5e-3, xi = 0.5 },
}
