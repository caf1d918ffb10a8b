-- A helical spring at rest: its curvature vectors x'' are its natural curvature (Fernando, figure 3.1).
local r, angle, turns = 1, 0.25, 3

return {
  title   = "natural curvature",
  rod     = {
    length = 2 * math.pi * turns * r / math.cos(angle),
    stiffness = { bend = 1, twist = 0.8 }, inertia = { mass = 1 },
    rest = helix { radius = r, angle = angle, from = { r, 0, 0 }, normal = { 1, 0, 0 } },
  },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 5, output = 1 },
  method  = "kirchhoff",
  options = { n = 96, dt = 0.1 },
}
