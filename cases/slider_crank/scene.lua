-- A torque pulse spins a crank; a flexible rod pushes a piston along its rail.
-- plot: --shapes --probes
local a, b = 0.3, 0.9
return {
  title  = "slider-crank",
  rod    = { name = "connecting rod", length = b, section = circle { diameter = 0.02 },
             material = { young = 2e11, poisson = 0.3, density = 7800 } },
  initial = { shape = straight { from = { a, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  bodies = {
    { name = "crank", mass = 1, inertia = { 0.02, 0.02, 0.02 }, position = { a / 2, 0, 0 } },
    { name = "piston", mass = 1, inertia = { 1e-3, 1e-3, 1e-3 }, position = { a + b, 0, 0 },
      shape = box { size = { 0.1, 0.08, 0.08 } } },
  },
  joints = {
    hinge { name = "shaft", parts = { "ground", "crank" }, at = { { 0, 0, 0 }, { -a / 2, 0, 0 } }, axis = { 0, 0, 1 },
            torque = function(t) return t < 0.5 and 10 * math.sin(2 * math.pi * t) ^ 2 or 0 end },
    hinge { parts = { "crank", "connecting rod" }, at = { { a / 2, 0, 0 }, 0 }, axis = { 0, 0, 1 } },
    hinge { parts = { "connecting rod", "piston" }, at = { b, { 0, 0, 0 } }, axis = { 0, 0, 1 } },
    slider { name = "rail", parts = { "ground", "piston" }, at = { { a + b, 0, 0 }, { 0, 0, 0 } }, axis = { 1, 0, 0 } },
  },
  time    = { stop = 1.5, output = 0.01 },
  probes  = { angle = { joint = "shaft", what = "angle" }, travel = { joint = "rail", what = "travel" } },
  method  = "director",
  options = { n = 4, dt = 0.001 },
}
