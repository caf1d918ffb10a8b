-- A rope over half a turn of a fixed drum is pulled at one end and held back at the other: friction multiplies the pull.
-- plot: --profile force.material --from 0.59
-- plot drum: --what drum.z
local p = params {
  mu   = { 0.6, 0, 1, "", "coefficient of friction" },
  hold = { 1, 0, 10, "N", "what holds the rope back" },
}
local R, r, tail = 0.05, 5e-4, 0.03 -- of drum and rope; what hangs down on both sides
local turn = math.pi * (R + r)
local L = turn + 2 * tail
local function place(s)
  if s < tail then return -(R + r), 0, s - tail end
  if s > tail + turn then return R + r, 0, tail + turn - s end
  local q = (s - tail) / (R + r)
  return -(R + r) * math.cos(q), 0, (R + r) * math.sin(q)
end
return {
  title     = "capstan",
  rod       = { length = L, stiffness = { bend = 1e-7, twist = 1e-7, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.01, rotary = 1e-9 }, radius = r,
                damping = { time = 1e-3 }, drag = { linear = 1e-3 } },
  initial   = { shape = curve(place) },
  obstacles = { cylinder { name = "drum", along = { 0, 1, 0 }, radius = R, friction = p.mu, stiffness = 1e7, damping = 100 } },
  ends      = { start  = free { force = function(t) return 0, 0, -p.hold * math.min(1, t / 0.1) end },
                finish = pinned { position = function(t) return R + r, 0, -tail - 0.05 * math.max(0, t - 0.1) end } },
  time      = { stop = 0.6, output = 0.01 },
  probes    = { drum = { obstacle = "drum" }, pull = { at = L, what = "force" } },
  method    = "director",
  options   = { n = 120, degree = 1, dt = 5e-4, xi = 0.5 },
}
