-- The violin A string under a bow: friction that depends on how fast the string slides past the hair
-- makes it stick and slip once a period (Helmholtz motion).
-- plot: --probes --spectrum bridge
-- sound:
local L = 0.328
local at, speed, grip = 0.12 * L, 0.1, 0.06 -- where the bow is [m], its speed [m/s], its largest friction [N]

-- Steep where the string moves with the bow, falling where it slides.
local function bow(s, t, state)
  local slip = state.velocity[1] - speed * math.min(1, t / 0.01)
  return -grip * 14.142 * slip * math.exp(0.5 - 100 * slip * slip), 0, 0
end

return {
  title   = "stick and slip",
  rod     = { length = L, section = circle { diameter = 0.3575e-3 }, tension = 65,
              material = { young = 2.0e11, poisson = 0.3, density = 7800 },
              drag = { linear = 0.02, spin = 3e-5 }, damping = { time = 1e-8 } },
  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0, 0, L } } },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  loads   = { point { at = at, force = bow } },
  time    = { stop = 0.3, output = 0.01 },
  probes  = { bow = { at = at, what = "velocity", every = 1 / 44100 },
              bridge = { at = 0.02 * L, what = "velocity", every = 1 / 44100 } },
  method  = "fdtd",
  options = { n = 50, order = 2, inertia = "regularised" },
}
