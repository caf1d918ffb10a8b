-- A half circle between two pins, one of which oscillates (Montgomery-Smith & Huang, figure 3).
return {
  title   = "oscillating end",
  rod     = { length = math.pi, stiffness = { bend = 1 }, inertia = { mass = 1 }, damping = { bend = 1 / 5 } },
  initial = { shape = curve(function(s) return math.sin(s), 0, math.cos(s) end) },
  ends    = {
    start  = pinned { position = { 0, 0, 1 } },
    finish = pinned { position = function(t) return 0, 0, -1 + 2 / 5 * math.sin(2 * t) end },
  },
  time    = { stop = 3, output = 0.1 },
  probes  = { middle = { at = math.pi / 2, what = "position" } },
  method  = "elastica",
  options = { n = 40, dt = 0.02 },
}
