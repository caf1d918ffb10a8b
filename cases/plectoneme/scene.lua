-- A rod under tension is twisted until it throws a loop, which winds up into a plectoneme.
-- plot: --shapes --view3d --count 5
-- plot torque: --what torque.x --what tip.x
local p = params {
  turns = { 8, 0, 12, "", "how often the far end is turned" },
  T     = { 400, 40, 1000, "N", "tension at the end; while the rod is twisted it is 40 N" },
  n     = { 200, 100, 1000, "", "elements" },
}
local r, C = 5e-3, 0.8 -- radius and twisting stiffness; length 1, bending stiffness 1
local twist, rise, wait = 1.5, 0.5, 0.5
local function smooth(q) q = math.max(0, math.min(1, q)) return q * q * (3 - 2 * q) end
return {
  title   = "plectoneme",
  rod     = { length = 1, stiffness = { bend = 1, twist = C, stretch = 1e6, shear = 1e6 }, inertia = { mass = 1, rotary = 1e-4 }, radius = r,
              damping = { time = 5e-4 }, drag = { linear = 30, spin = 0.01 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  contact = { pair = 1e6, damping = 0.1 },
  loads   = { distributed { force = function(s, t) if t < twist then return 0, 1, 0.3 end return 0, 0, 0 end } }, -- which way it buckles
  ends    = { start  = clamped {},
              finish = guided { tangent = { 1, 0, 0 }, force = function(t) return 40 + (p.T - 40) * smooth((t - twist) / rise), 0, 0 end,
                                normal = function(t) local f = 2 * math.pi * p.turns * smooth(t / twist) return 0, math.cos(f), math.sin(f) end } },
  time    = { stop = twist + rise + wait, output = 0.025 },
  probes  = { torque = { at = 0, what = "moment" }, tip = { at = 1 } },
  method  = "director",
  options = { n = p.n, degree = 1, dt = 1e-3, xi = 0.5 },
}
