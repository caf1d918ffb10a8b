-- A slightly bent rod, clamped upright, falls over and swings (Montgomery-Smith & Huang, figure 4).
local R = 100 -- radius of the initial bend

return {
  title   = "falling rod",
  rod     = { length = 10, stiffness = { bend = 1 }, inertia = { mass = 1 }, damping = { bend = 0.1 } },
  gravity = { 0, 0, -1 / 5 },
  initial = {
    shape = curve(function(s) return R * (math.cos(s / R) - 1), 0, R * math.sin(s / R) end),
  },
  ends    = { start = clamped { position = { 0, 0, 0 }, tangent = { 0, 0, 1 } }, finish = free {} },
  time    = { stop = 40, output = 0.5 },
  probes  = { tip = { at = 10, what = "position" } },
  method  = "elastica",
  options = { n = 80, dt = 0.0125 }, -- the source has n = 20, dt = 0.1, which ends on the wrong side
}
