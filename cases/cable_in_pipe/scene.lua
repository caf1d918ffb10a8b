-- A cable is pulled through a pipe with two bends: at each the pull grows by the factor of the angle that the cable turns.
-- plot: --shapes --plane xz --count 3
-- plot force: --profile force.material --from 0.79
local p = params { mu = { 0.3, 0, 1, "", "coefficient of friction" }, hold = { 1, 0, 10, "N", "what holds the cable back" } }
local Rb, Rt, r, a = 0.1, 0.01, 2e-3, 0.05 -- radius of the bends, of the pipe, of the cable; straight pieces
local bend = Rb * math.pi / 2
local L = 2 * a + 2 * bend
local function axis(s)
  if s < a then return s - a, 0, 0 end
  s = s - a
  if s < bend then return Rb * math.sin(s / Rb), 0, Rb * (1 - math.cos(s / Rb)) end
  s = s - bend
  if s < bend then return Rb * (2 - math.cos(s / Rb)), 0, Rb * (1 + math.sin(s / Rb)) end
  return 2 * Rb + s - bend, 0, 2 * Rb
end
local function wall(x, y, z) -- how far it is to the wall, from inside
  local d
  if x <= 0 and z <= Rb then d = z
  elseif x > 2 * Rb then d = z - 2 * Rb
  elseif z <= Rb then d = math.sqrt(x * x + (z - Rb) ^ 2) - Rb
  else d = math.sqrt((x - 2 * Rb) ^ 2 + (z - Rb) ^ 2) - Rb end
  return Rt - math.sqrt(d * d + y * y)
end
return {
  title     = "cable in a bent pipe",
  rod       = { length = L, stiffness = { bend = 1e-5, twist = 1e-5, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.02, rotary = 1e-8 }, radius = r,
                damping = { time = 1e-3 }, drag = { linear = 0.05 } },
  initial   = { shape = curve(axis) },
  obstacles = { distance { name = "pipe", value = wall, friction = p.mu, stiffness = 1e5, damping = 1 } },
  ends      = { start  = free { force = function(t) return -p.hold * math.min(1, t / 0.1), 0, 0 end },
                finish = pinned { position = function(t) return 2 * Rb + a + 0.1 * math.max(0, t - 0.2), 0, 2 * Rb end } },
  time      = { stop = 0.8, output = 0.02 },
  probes    = { pipe = { obstacle = "pipe" }, pull = { at = L, what = "force" } },
  method    = "director",
  options   = { n = 48, degree = 1, dt = 4e-3, xi = 0.5 },
}
