-- A soft spring held at the top stretches under its own weight, bounces and comes to rest.
-- `withy static` on this scene prints the designer's table.
local r, angle, turns = 1, 0.08, 6
local L = 2 * math.pi * turns * r / math.cos(angle)

-- plot: --shapes --probes --plane xz --frames 0,4,8,120
return {
  title   = "hanging spring",
  rod     = {
    length = L, stiffness = { bend = 1, twist = 1 / 1.3 }, inertia = { mass = 1 },
    damping = { bend = 25, twist = 25 },
    rest = helix { radius = r, angle = angle, along = { 0, 0, -1 }, from = { r, 0, 0 }, normal = { 1, 0, 0 } },
  },
  gravity = { 0, 0, -2e-3 },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 600, output = 5 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "kirchhoff",
  options = { n = 288, dt = 0.5 },
}
