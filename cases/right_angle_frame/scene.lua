-- Two beams welded at a right angle, hit at the elbow: it swings out of its plane (Simo and Vu-Quoc 1988).
-- plot: --shapes --probes
local function leg(name, from, along)
  return { name = name, length = 10,
           stiffness = { stretch = 1e6, shear = 1e6, bend = 1e3, twist = 1e3 },
           inertia = { mass = 1, rotary = { 10, 10, 20 } },
           initial = { shape = straight { from = from, along = along, normal = { 0, 0, 1 } } } }
end
local first, second = leg("leg", { 0, 0, 0 }, { 1, 0, 0 }), leg("arm", { 10, 0, 0 }, { 0, 1, 0 })
first.ends = { start = clamped {} }
first.loads = { point { at = 10, force = function(t) return 0, 0, t < 1 and 50 * t or t < 2 and 50 * (2 - t) or 0 end } }
return {
  title   = "right-angle cantilever",
  rods    = { first, second },
  joints  = { weld { name = "elbow", parts = { "leg", "arm" }, at = { 10, 0 } } },
  time    = { stop = 10, output = 0.25 },
  probes  = { elbow = { rod = "leg", at = 10 }, tip = { rod = "arm", at = 10 } },
  method  = "director",
  options = { n = 5, order = 4, dt = 0.05, degree = 4 },
}
