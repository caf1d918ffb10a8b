-- A parallel continuum robot: six elastic legs are pushed through a base and carry a platform, tilted and turned along a path of equilibria.
-- solve: static
-- plot: --shapes --view3d
local L, base, top = 0.4, 0.12, 0.08
local rods, joints = {}, {}

-- angles of the legs on base and platform, in three pairs as in a Stewart platform
local function angle(k, spread) return 2 * math.pi * math.floor((k - 1) / 2) / 3 + (k % 2 == 1 and -1 or 1) * spread end

-- how far leg k is pushed up: heave, two tilts and a turn, as the factor f goes from 0 to 1
local function push(k, f)
  local a = angle(k, 0.8)
  return f * (0.02 + 0.05 * math.cos(a) + 0.03 * math.sin(2 * math.pi * f) * math.sin(a) + (k % 2 == 1 and 0.02 or -0.02))
end

for k = 1, 6 do
  local a, b = angle(k, 0.8), angle(k, 0.25)
  local from, to = { base * math.cos(a), base * math.sin(a), 0 }, { top * math.cos(b), top * math.sin(b), 0 }
  local dx, dy = to[1] - from[1], to[2] - from[2]
  local dz = math.sqrt(L * L - dx * dx - dy * dy)
  local along = { dx / L, dy / L, dz / L }
  rods[k] = {
    name = "leg" .. k, length = L, section = circle { diameter = 1.5e-3 },
    material = { young = 60e9, shear = 23e9, density = 6450 },
    initial = { shape = straight { from = from, along = along } },
    ends = { start = clamped { position = function(t) local q = push(k, t)
                 return from[1] + q * along[1], from[2] + q * along[2], from[3] + q * along[3] end, tangent = along },
             finish = free {} },
  }
  joints[k] = weld { parts = { "leg" .. k, "platform" }, at = { L, { to[1], to[2], 0 } } }
end

local height = math.sqrt(L * L - (base ^ 2 + top ^ 2 - 2 * base * top * math.cos(0.55)))

return {
  title   = "Stewart platform of six elastic legs",
  rods    = rods,
  bodies  = { { name = "platform", mass = 0.05, inertia = { 1e-4, 1e-4, 2e-4 }, position = { 0, 0, height },
                shape = cylinder { diameter = 0.18, length = 4e-3 } } },
  joints  = joints,
  gravity = { 0, 0, -9.81 },
  path    = { from = 0, to = 1, steps = 10 },
  probes  = { platform = { body = "platform" } },
  method  = "director",
  options = { n = 4, degree = 3 },
}
