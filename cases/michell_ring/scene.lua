-- A ring of a straight rod is twisted until it leaves its plane (Michell 1889; Newton, cable_michell_threshold).
-- solve: static
-- plot: --view3d
-- The factor of the path is the twist over Michell's 2 pi sqrt(3) EI/GJ.
local R, EI, GJ = 1, 1.345, 0.789
local critical = 2 * math.pi * math.sqrt(3) * EI / GJ

return {
  title   = "Michell's ring",
  rod     = { length = 2 * math.pi * R, stiffness = { bend = EI, twist = GJ }, inertia = { mass = 1 } },
  initial = { shape = arc { radius = R, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = {
    start  = clamped {},
    finish = clamped { position = { 0, 0, 0 }, tangent = { 1, 0, 0 },
                       normal = function(t)
                         return 0, math.cos(critical * t), math.sin(critical * t)
                       end },
  },
  path    = { from = 0, to = 1.2, steps = 12 },
  method  = "director",
  options = { n = 32 },
}
