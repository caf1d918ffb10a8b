-- A rod turned about one end, free at the other (Montgomery-Smith & Huang, figure 2).
-- plot: --frames-grid 15
local w = 4 / 3 -- angular velocity of the clamp

return {
  title   = "rotating clamp",
  rod     = { length = 3, stiffness = { bend = 1 }, inertia = { mass = 1 }, damping = { bend = 1 / 20 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 0, 0, 1 } } },
  ends    = {
    start  = clamped { position = { 0, 0, 0 },
                       tangent = function(t) return 0, math.sin(w * t), math.cos(w * t) end },
    finish = free {},
  },
  time    = { stop = 10, output = 1 / 6 },
  probes  = { tip = { at = 3, what = "position" } },
  method  = "elastica",
  options = { n = 180, dt = 1 / 96 }, -- the source has n = 10, dt = 1/6, too coarse after t = 5
}
