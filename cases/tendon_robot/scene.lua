-- A continuum robot: a nickel-titanium wire with discs and three tendons reaches out, holds, lets go.
-- plot: --count 40 --plane xz
local L, arm = 0.2, 8e-3

-- 0 .. 1 without a jump in speed
local function smooth(x)
  x = math.max(0, math.min(1, x))
  return x * x * (3 - 2 * x)
end

-- pull at one tendon: reach within 0.5 s, hold, let go at once at t = 1.5 s
local function pull(most)
  return function(t) return t < 1.5 and 0.2 + (most - 0.2) * smooth(t / 0.5) or 0.2 end
end

local function tendon_at(degrees, most)
  local a = math.rad(degrees)
  return tendon { route = { arm * math.cos(a), arm * math.sin(a) }, tension = pull(most) }
end

return {
  title   = "tendon robot",
  rod     = {
    length   = L,
    section  = circle { diameter = 1e-3 },
    material = { young = 60e9, shear = 23e9, density = 6450 },
    inertia  = { mass = 0.05, rotary = 2e-6 }, -- discs included
    damping  = { time = 0.005 },
  },
  gravity = { 0, 0, -9.81 },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  ends    = { start = clamped {}, finish = free { mass = 2e-3 } }, -- a gripper at the tip
  loads   = { tendon_at(0, 4), tendon_at(120, 0.2), tendon_at(240, 1) },
  time    = { stop = 3, output = 0.02 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "se3",
  options = { n = 40, dt = 0.001 },
}
