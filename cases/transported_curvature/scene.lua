-- The same spring pulled straight without twist, its natural curvature transported along (Fernando, figure
-- 3.2), and then let go: it curls up from its free end.
local r, angle, turns = 1, 0.25, 3

return {
  title   = "transported curvature",
  rod     = {
    length = 2 * math.pi * turns * r / math.cos(angle),
    stiffness = { bend = 1, twist = 0.8 }, inertia = { mass = 1, rotary = 0.01 },
    damping = { bend = 0.3, twist = 0.3 },
    rest = helix { radius = r, angle = angle },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 40, output = 0.5 },
  probes  = { tip = { at = 2 * math.pi * turns * r / math.cos(angle), what = "position" } },
  method  = "kirchhoff",
  options = { n = 160, dt = 0.05, kappa = "pointwise" } -- kappa(s) of (3.17) itself,
}
