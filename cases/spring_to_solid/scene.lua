-- A steel spring is pressed until its coils lie on each other: the force follows the rate of the spring, and then a wall.
-- solve: static
-- plot shapes: --shapes --view3d --count 3
local R, r, turns, pitch = 0.01, 1e-3, 4, 4e-3 -- coils, wire
local L, H = turns * math.sqrt((2 * math.pi * R) ^ 2 + pitch ^ 2), turns * pitch
local coil = helix { radius = R, turns = turns, from = { R, 0, 0 }, along = { 0, 0, 1 }, normal = { 1, 0, 0 } }
return {
  title   = "spring pressed solid",
  rod     = { length = L, section = circle { diameter = 2 * r }, material = { young = 2e11, poisson = 0.3, density = 7850 }, rest = coil },
  initial = { shape = coil },
  contact = { friction = 0.3 }, -- as hard as the wire; without friction the coils slide off each other
  ends    = { start = clamped {}, finish = clamped { position = function(t) return R, 0, H - t end } },
  path    = { from = 0, to = 8e-3, steps = 40 },
  probes  = { end_force = { at = L, what = "force" } },
  method  = "director",
  options = { n = 40, degree = 3 },
}
