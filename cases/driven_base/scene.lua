-- The rod of the notes, shaken across at its foot below its first resonance.
-- plot: --shapes --probes --from 2.19 --count 32
local L, D = 0.1, 0.01
local amplitude, omega = 8e-3, 20 -- m, rad/s; the first natural frequency is 27.64 rad/s

-- grows within 0.5 s, so that little of the rod's own vibration is excited
local function shake(t)
  local grow = t < 0.5 and 0.5 - 0.5 * math.cos(math.pi * t / 0.5) or 1
  return amplitude * grow * math.sin(omega * t), 0, 0
end

return {
  title   = "driven base",
  rod     = {
    length   = L,
    section  = circle { diameter = D },
    material = { young = 1e6, shear = 1e6 / 3, density = 1000 },
    damping  = { time = 0.01 },
  },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  ends    = { start = clamped { position = shake }, finish = free {} },
  time    = { stop = 2.5, output = 0.01 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "se3",
  options = { n = 50, dt = 0.002 },
}
