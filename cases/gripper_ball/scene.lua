-- Three soft fingers close on a ball, press it between their tips, and lift it by friction alone.
-- plot: --shapes --count 9 --view3d
local L, out, arm, R = 0.08, 0.03, 4e-3, 0.022
local rods, joints = {}, {}

-- 0 .. 1 without a jump in speed
local function smooth(x)
  x = math.max(0, math.min(1, x))
  return x * x * (3 - 2 * x)
end

for k = 1, 3 do
  local c, s = math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)
  rods[k] = {
    name = "finger" .. k, length = L, section = circle { diameter = 0.01 },
    material = { young = 1e6, poisson = 0.45, density = 1100 }, damping = { time = 0.01 },
    initial = { shape = straight { from = { out * c, out * s, 0 }, along = { 0, 0, -1 }, normal = { -c, -s, 0 } } },
    ends = { start = free {}, finish = free {} },
    loads = { tendon { route = { arm, 0 }, tension = input "grip" } },
  }
  joints[k] = weld { parts = { "palm", "finger" .. k }, at = { { out * c, out * s, -0.01 }, 0 } }
end
joints[4] = slider { name = "arm", parts = { "ground", "palm" }, at = { { 0, 0, 0.01 }, { 0, 0, 0 } }, axis = { 0, 0, 1 },
                     travel = function(t) return 0.06 * smooth((t - 0.8) / 0.7) end }

local m = 0.005
return {
  title     = "gripper that lifts a ball by friction",
  rods      = rods,
  bodies    = {
    { name = "palm", mass = 0.2, inertia = { 1e-4, 1e-4, 1.5e-4 }, position = { 0, 0, 0.01 },
      shape = cylinder { diameter = 0.08, length = 0.02 } },
    { name = "ball", mass = m, inertia = { 0.4 * m * R ^ 2, 0.4 * m * R ^ 2, 0.4 * m * R ^ 2 }, position = { 0, 0, -0.083 },
      shape = sphere { diameter = 2 * R } },
  },
  joints    = joints,
  obstacles = { plane { name = "table", point = { 0, 0, -0.083 - R } } },
  contact   = { self = false, friction = 0.8, damping = 1 },
  inputs    = { grip = function(t) return 1.2 * smooth((t - 0.1) / 0.5) end },
  gravity   = { 0, 0, -9.81 },
  time      = { stop = 2, output = 0.02 },
  probes    = { ball = { body = "ball", what = "position" }, arm = { joint = "arm", what = "force" } },
  method    = "director",
  options   = { n = 16, degree = 2, dt = 0.001 },
}
