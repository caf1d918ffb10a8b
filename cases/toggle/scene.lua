-- Williams' toggle: two clamped bars meet rigidly at a shallow crown, which is pushed down until it snaps through.
-- solve: static
-- plot: --probes --plane xz
local half, rise = 12.943, 0.386             -- in
local EA, EI = 1.885e6, 9.27e3               -- lb, lb in^2
local length = math.sqrt(half * half + rise * rise)
local function bar(name, x)
  return { name = name, length = length,
           stiffness = { stretch = EA, shear = EA / 3, bend = { EI, 1e3 * EI }, twist = 1e3 * EI }, inertia = { mass = 1 },
           ends = { start = clamped {} },
           initial = { shape = straight { from = { x, 0, 0 }, along = { -x, 0, rise }, normal = { 0, 1, 0 } } } }
end
local left, right = bar("left", -half), bar("right", half)
left.loads = { point { at = length, force = { 0, 0, -1 } } }
return {
  title   = "Williams' toggle",
  rods    = { left, right },
  joints  = { weld { name = "crown", parts = { "left", "right" }, at = { length, length } } },
  path    = { from = 0, to = 70, steps = 60, arc_length = true },
  probes  = { crown = { rod = "left", at = length } },
  method  = "director",
  options = { n = 6, degree = 3 },
}
