-- A bent silicone rod, clamped at its foot, is let go (notes "Integration: Conservative System", [SE]).
-- plot: --count 24
local L, D = 0.1, 0.01

return {
  title   = "release, as in the notes",
  rod     = {
    length   = L,
    section  = circle { diameter = D },
    material = { young = 1e6, shear = 1e6 / 3, density = 1000 },
  },
  initial = { shape = arc { radius = 4 * L / math.pi, along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 1, output = 0.01 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "se3",
  options = { n = 99, dt = 0.01 },
}
