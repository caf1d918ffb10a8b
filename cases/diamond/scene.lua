-- A square frame with rigid corners is pulled apart at two of them; with a negative factor it is pushed together.
-- solve: static
-- with: --set time.stations=21
-- plot: --shapes --plane xy --every 4
local h, EA = math.sqrt(0.5), 4e6 -- EI = 1, sides of 1, r/L = 1e-3
local corner = { { 0, -h, 0 }, { h, 0, 0 }, { 0, h, 0 }, { -h, 0, 0 } }
local rods, joints = {}, {}
for i = 1, 4 do
  local a, b = corner[i], corner[i % 4 + 1]
  rods[i] = { name = "side" .. i, length = 1, stiffness = { stretch = EA, shear = EA / 3, bend = 1, twist = 0.77 },
              inertia = { mass = 1 },
              initial = { shape = straight { from = a, along = { b[1] - a[1], b[2] - a[2], 0 }, normal = { 0, 0, 1 } } } }
  joints[i] = weld { parts = { "side" .. i, "side" .. i % 4 + 1 }, at = { 1, 0 } }
end
rods[1].ends = { start = clamped {} } -- moves along y only, and does not turn, by symmetry
rods[2].loads = { point { at = 1, force = { 0, 4, 0 } } }
return {
  title   = "square frame pulled at its corners",
  rods    = rods,
  joints  = joints,
  path    = { from = 0, to = 1, steps = 16 },
  probes  = { far = { rod = "side2", at = 1 }, right = { rod = "side1", at = 1 }, left = { rod = "side3", at = 1 } },
  method  = "director",
  options = { n = 6, degree = 4 },
}
