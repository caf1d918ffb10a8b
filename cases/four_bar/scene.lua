-- A crank drives a rocker through a flexible coupler: two bodies, one rod and four hinges in a loop.
-- plot: --shapes --probes
local a, b, c, d = 0.3, 1.0, 0.7, 1.0 -- crank, coupler, rocker, ground
local x = (d * d - 2 * d * a + a * a - c * c + b * b) / (2 * (d - a)) -- coupler from the crank's end, which is at { a, 0 }
local y = math.sqrt(b * b - x * x)
local w = d - a - x -- from the rocker's end to its pivot
return {
  title  = "four-bar linkage",
  rod    = { name = "coupler", length = b, section = circle { diameter = 0.02 },
             material = { young = 2e11, poisson = 0.3, density = 2000 } },
  initial = { shape = straight { from = { a, 0, 0 }, along = { x, y, 0 }, normal = { 0, 0, 1 } } },
  bodies = {
    { name = "crank", mass = 0.5, inertia = { 1e-3, 5e-3, 5e-3 }, position = { a / 2, 0, 0 } },
    { name = "rocker", mass = 0.8, inertia = { 2e-2, 2e-2, 2e-2 }, position = { (a + x + d) / 2, y / 2, 0 } },
  },
  joints = {
    hinge { name = "drive", parts = { "ground", "crank" }, at = { { 0, 0, 0 }, { -a / 2, 0, 0 } }, axis = { 0, 0, 1 },
            angle = function(t) return t < 1 and math.pi * t * t or math.pi * (2 * t - 1) end },
    hinge { parts = { "crank", "coupler" }, at = { { a / 2, 0, 0 }, 0 }, axis = { 0, 0, 1 } },
    hinge { parts = { "coupler", "rocker" }, at = { b, { -w / 2, y / 2, 0 } }, axis = { 0, 0, 1 } },
    hinge { parts = { "ground", "rocker" }, at = { { d, 0, 0 }, { w / 2, -y / 2, 0 } }, axis = { 0, 0, 1 } },
  },
  time    = { stop = 2, output = 0.02 },
  probes  = { torque = { joint = "drive", what = "torque" }, elbow = { rod = "coupler", at = b } },
  method  = "director",
  options = { n = 4, dt = 0.002 },
}
