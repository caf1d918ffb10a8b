-- A soft helical spring, clamped at the top, is let go and bounces under its own weight.
-- plot: --shapes --plane 3d --count 6 --to 0.55
local a, pitch, turns = 0.05, 0.03, 5
return {
  title   = "hanging spring",
  rod     = { length = turns * math.sqrt((2 * math.pi * a) ^ 2 + pitch ^ 2), section = circle { diameter = 0.01 },
              material = { young = 1e7, shear = 1e7 / 3, density = 1273.52 },
              rest = helix { along = { 0, 0, -1 }, radius = a, pitch = pitch } },
  ends    = { start = clamped {}, finish = free {} },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 1, output = 0.025 },
  path    = { from = 0, to = 1, steps = 10 },
  probes  = { tip = { at = turns * math.sqrt((2 * math.pi * a) ^ 2 + pitch ^ 2), what = "position" } },
  method  = "director",
  options = { n = 40, degree = 3, dt = 2.5e-3 },
}
