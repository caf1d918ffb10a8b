-- A tendril between two supports: its curvature at rest grows, and it winds up into coils of opposite hands.
-- plot: --shapes --plane 3d --frames 0,12,20,60
-- plot rest: --what rest --what dissipated
local L, turns = 1, 7                                 -- of the tendril; that it would have if it were free
return {
  title   = "growing tendril",
  rod     = { length = L, stiffness = { bend = 1e-3, twist = 8e-4, stretch = 20, shear = 10 }, inertia = { mass = 0.01 },
              viscous = { normal = 0.1, tangential = 0.06, spin = 1e-5, inertia = "none" },
              rest = curvature(function(s, t)
                local grown = 2 * math.pi * turns * (1 - math.exp(-3 * t))
                return 1e-2 * math.sin(9 * s), grown, 1e-2                         -- not quite straight at first
              end) },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  ends    = { start = clamped {}, finish = clamped { position = function(t) return L - 0.25 * math.min(t, 1), 0, 0 end } },
  time    = { stop = 3, output = 0.05 },
  method  = "director",
  options = { n = 40 },
}
