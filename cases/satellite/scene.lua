-- A spinning hub with four flexible booms and a mass on one of them: it tumbles freely, energy and momenta constant.
-- plot: --shapes --energy
local rods, joints = {}, {}
local spin, names = { 0, 0.05, 2.3 }, { "east", "north", "west", "south" }
local function across(v, r) return { v[2] * r[3] - v[3] * r[2], v[3] * r[1] - v[1] * r[3], v[1] * r[2] - v[2] * r[1] } end
for i, name in ipairs(names) do
  local x, y = math.cos((i - 1) * math.pi / 2), math.sin((i - 1) * math.pi / 2)
  rods[i] = { name = name, length = 1, section = circle { diameter = 0.02 },
              material = { young = 1e9, poisson = 0.3, density = 1000 },
              initial = { shape = straight { from = { 0.2 * x, 0.2 * y, 0 }, along = { x, y, 0 }, normal = { 0, 0, 1 } },
                          velocity = function(s) return across(spin, { (0.2 + s) * x, (0.2 + s) * y, 0 }) end,
                          spin = spin } }
  joints[i] = weld { parts = { "hub", name }, at = { { 0.2 * x, 0.2 * y, 0 }, 0 } }
end
joints[5] = weld { parts = { "east", "tip" }, at = { 1, { 0, 0, 0 } } }
return {
  title   = "satellite with four booms",
  rods    = rods,
  bodies  = {
    { name = "hub", mass = 5, inertia = { 0.2, 0.2, 0.3 }, spin = spin, shape = cylinder { diameter = 0.4, length = 0.3 } },
    { name = "tip", mass = 0.5, inertia = { 1e-3, 1e-3, 1e-3 }, position = { 1.2, 0, 0 }, spin = spin,
      velocity = across(spin, { 1.2, 0, 0 }), shape = sphere { diameter = 0.1 } },
  },
  joints  = joints,
  time    = { stop = 4, output = 0.04 },
  probes  = { hub = { body = "hub", what = "spin" }, tip = { body = "tip" } },
  method  = "director",
  options = { n = 2, dt = 0.01 },
}
