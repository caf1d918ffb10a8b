-- Two rigid bars, hinged to each other and to the ground, fall from the horizontal.
-- plot: --shapes --energy
local function bar(name, x)
  return { name = name, mass = 1, inertia = { 1e-6, 1 / 12, 1 / 12 }, position = { x, 0, 0 },
           shape = box { size = { 1, 0.04, 0.04 } } }
end
return {
  title   = "double pendulum",
  bodies  = { bar("upper", 0.5), bar("lower", 1.5) },
  joints  = {
    hinge { name = "pivot", parts = { "ground", "upper" }, at = { { 0, 0, 0 }, { -0.5, 0, 0 } }, axis = { 0, 1, 0 } },
    hinge { name = "elbow", parts = { "upper", "lower" }, at = { { 0.5, 0, 0 }, { -0.5, 0, 0 } }, axis = { 0, 1, 0 } },
  },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 1, output = 0.02 },
  probes  = { lower = { body = "lower" }, pivot = { joint = "pivot", what = "force" } },
  method  = "director",
  options = { dt = 0.001 },
}
