-- A steel rope of 10 m hangs between two points 8 m apart; then one of them is moved up and down.
-- plot: --shapes --plane xz
local L, span = 10, 8
return {
  title   = "driven cable",
  rod     = { length = L, section = circle { diameter = 0.01 },
              material = { young = 1e9, shear = 4e8, density = 7800 }, damping = { time = 2e-3 },
              rest = straight {} },
  gravity = { 0, 0, -9.81 },
  ends    = {
    start  = pinned { position = { 0, 0, 0 } },
    finish = pinned { position = function(t) return span, 0, 0.5 * math.sin(3 * t) * math.min(1, t) end },
  },
  initial = static { shape = catenary {} },
  time    = { stop = 6, output = 0.1 },
  probes  = { middle = { at = L / 2, what = "position" } },
  method  = "director",
  options = { n = 20, degree = 3, dt = 5e-3 },
}
