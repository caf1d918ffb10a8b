-- A coiled telephone cord, held at one end pointing sideways, falls, stretches and swings.
local d, r, pitch, turns = 4e-3, 8e-3, 5e-3, 20 -- plastic cord: thickness, mean radius, pitch [m]
local L = turns * math.sqrt((2 * math.pi * r) ^ 2 + pitch ^ 2)

-- plot: --shapes --energy --plane xz --frames 0,3,6,11,16,22
return {
  title   = "telephone cord",
  rod     = {
    length = L, section = circle { diameter = d },
    material = { young = 2.5e7, shear = 9e6, density = 1200 },
    damping = { time = 4e-3 },
    rest = helix { radius = r, pitch = pitch, along = { 1, 0, 0 }, from = { 0, 0, r }, normal = { 0, 0, 1 } },
  },
  gravity = { 0, 0, -9.81 },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 1.6, output = 0.04 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "kirchhoff",
  options = { n = 400, dt = 4e-3 },
}
