-- A bent silicone rod, clamped at its foot, is let go (notes "Integration: Conservative System", [SE]).
-- plot: --count 24
-- with start: --set options.scheme=notes --set time.stop=0.01
-- plot start: --shapes --frames 0
-- with dynamics: --set options.scheme=notes --set time.stop=0.2
-- plot dynamics: --shapes --every 1
-- with notes: --set options.scheme=notes
-- plot notes: --energy
-- with long: --set options.scheme=notes --set time.stop=5.9
-- plot long: --energy
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
