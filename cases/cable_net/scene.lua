-- A ball falls into a net of cords, which are slack or taut but never stiff, and is thrown back.
-- plot: --shapes --view3d --frames 0,6
local k, mesh = 8, 0.15
local side = (k - 1) * mesh
local rods, joints = {}, {}
local function cord(name, from, along)
  rods[#rods + 1] = { name = name, length = side, kind = "cable", stiffness = { stretch = 2e3 }, inertia = { mass = 0.02 },
                      radius = 0.004, damping = { time = 2e-3 }, initial = { shape = straight { from = from, along = along } } }
end
for i = 1, k do
  cord("x" .. i, { 0, (i - 1) * mesh, 0 }, { 1, 0, 0 })
  cord("y" .. i, { (i - 1) * mesh, 0, 0 }, { 0, 1, 0 })
end
for i = 1, k do
  for j = 1, k do
    joints[#joints + 1] = weld { parts = { "x" .. j, "y" .. i }, at = { (i - 1) * mesh, (j - 1) * mesh } }
  end
end
for i = 2, k - 1 do
  for _, s in ipairs { 0, side } do
    joints[#joints + 1] = ball { parts = { "ground", "x" .. i }, at = { { s, (i - 1) * mesh, 0 }, s } }
    joints[#joints + 1] = ball { parts = { "ground", "y" .. i }, at = { { (i - 1) * mesh, s, 0 }, s } }
  end
end
return {
  title   = "net of cables",
  rods    = rods,
  joints  = joints,
  bodies  = { { name = "ball", mass = 0.5, inertia = { 4e-3, 4e-3, 4e-3 }, shape = sphere { diameter = 0.3 },
                position = { 0.5 * side, 0.45 * side, 0.25 }, velocity = { 0, 0, -4 } } },
  gravity = { 0, 0, -9.81 },
  contact = { self = false, rods = false, stiffness = 1e6 },
  time    = { stop = 0.3, output = 0.01 },
  probes  = { ball = { body = "ball", what = "position" } },
  method  = "director",
  options = { n = 14, degree = 1, dt = 0.002 },
}
