-- Von Mises' truss: two bars on hinges, pushed at the crown, snap through; the path has a closed form.
-- solve: static
-- plot: --probes --plane xz
local rise, EA = 0.3, 1e3
local length = math.sqrt(1 + rise * rise)
local function bar(name, x)
  return { name = name, length = length, stiffness = { stretch = EA, shear = EA, bend = EA, twist = EA }, inertia = { mass = 1 },
           initial = { shape = straight { from = { x, 0, 0 }, along = { -x, 0, rise }, normal = { 0, 1, 0 } } } }
end
local left, right = bar("left", -1), bar("right", 1)
left.loads = { point { at = length, force = { 0, 0, -1 } } }
return {
  title  = "von Mises' truss",
  rods   = { left, right },
  joints = {
    hinge { parts = { "ground", "left" }, at = { { -1, 0, 0 }, 0 }, axis = { 0, 1, 0 } },
    hinge { parts = { "ground", "right" }, at = { { 1, 0, 0 }, 0 }, axis = { 0, 1, 0 } },
    hinge { name = "crown", parts = { "left", "right" }, at = { length, length }, axis = { 0, 1, 0 } },
  },
  path    = { from = 0, to = 15, steps = 60, arc_length = true },
  probes  = { crown = { rod = "left", at = length } },
  method  = "director",
  options = { n = 1, degree = 2 },
}
