-- A square net of crossing cords, knotted where they cross, falls and is caught by its four corners.
-- plot: --shapes --every 20
local k, side = 8, 1
local rods, joints = {}, {}
local mesh = side / (k - 1)
local function cord(name, from, along)
  rods[#rods + 1] = { name = name, length = side, section = circle { diameter = 0.01 },
                      material = { young = 1e7, poisson = 0.5, density = 1000 }, damping = { time = 1e-3 },
                      initial = { shape = straight { from = from, along = along, normal = { 0, 0, 1 } } } }
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
for _, x in ipairs { "x1", "x" .. k } do
  for _, s in ipairs { 0, side } do
    joints[#joints + 1] = ball { parts = { "ground", x }, at = { { s, x == "x1" and 0 or side, 0 }, s } }
  end
end
return {
  title   = "falling net",
  rods    = rods,
  joints  = joints,
  gravity = { 0, 0, -9.81 },
  time    = { stop = 0.6, output = 0.02 },
  probes  = { middle = { rod = "x4", at = 3 * mesh } },
  method  = "director",
  options = { n = 7, dt = 0.005 },
}
