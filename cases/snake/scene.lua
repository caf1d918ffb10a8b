-- A snake on flat ground: waves of its muscles run backwards, and skin that slides more easily forwards than sideways drives it on.
-- plot: --shapes --plane xz --count 5
-- plot way: --what middle.z --what middle.x
local p = params {
  mu    = { 0.0892252, 0, 1, "", "friction forwards; 1.5 times that backwards, 2 times sideways" },
  stiff = { 1, 0.1, 100, "", "factor of modulus and muscles: with a large one friction does not change the shape" },
  stop  = { 8, 1, 30, "s", "four periods" },
  weighted = { 0, 0, 1, "", "1: limits of friction weighted by the direction of sliding, as a peer has them" },
}
local L, r, T, rho, g = 0.35, 0.00385, 2, 1000, 9.80665
local knot, coefficient = { 0, 0, 0, 0, 1 / 3, 2 / 3, 1, 1, 1, 1 }, { 3.4e-3, 3.3e-3, 4.2e-3, 2.6e-3, 3.6e-3, 3.5e-3 }
local function basis(i, k, x) -- B-splines by their recursion
  if k == 0 then return (x >= knot[i] and x < knot[i + 1] or x == 1 and knot[i + 1] == 1 and knot[i] < 1) and 1 or 0 end
  local a, b, v = knot[i + k] - knot[i], knot[i + k + 1] - knot[i + 1], 0
  if a > 0 then v = v + (x - knot[i]) / a * basis(i, k - 1, x) end
  if b > 0 then v = v + (knot[i + k + 1] - x) / b * basis(i + 1, k - 1, x) end
  return v
end
local strength = {} -- of the muscles, at 201 places from the head
for j = 0, 200 do
  strength[j] = 0
  for i = 1, 6 do strength[j] = strength[j] + p.stiff * coefficient[i] * basis(i, 3, j / 200) end
end
local function couple(z, t) -- N m, about the vertical
  local s = 1 - z / L
  local j = math.max(0, math.min(199, math.floor(200 * s)))
  local beta = strength[j] + (200 * s - j) * (strength[j + 1] - strength[j])
  return math.min(1, t / T) * beta * math.sin(2 * math.pi * (t / T - s))
end
local function slope(z, t) -- the moment per length of muscles whose couple changes along the body
  local a, b = math.max(0, z - 1e-4), math.min(L, z + 1e-4)
  return (couple(b, t) - couple(a, t)) / (b - a)
end
local function rub(s, t, state) -- per length, at the axis
  local d, v = state.frame[3], state.velocity
  local along = v[1] * d[1] + v[3] * d[3]
  local f = p.mu * rho * math.pi * r * r * g / math.sqrt(v[1] * v[1] + v[3] * v[3] + 2.5e-7)
  local a = (along > 0 and 1 or 1.5) * along
  return -f * (a * d[1] + 2 * (v[1] - along * d[1])), 0, -f * (a * d[3] + 2 * (v[3] - along * d[3]))
end
local own = p.weighted == 0 and 1 or 0
local loads = { distributed { moment = function(s, t) return 0, -slope(s, t), 0 end } }
if own == 0 then loads[2] = distributed { force = rub } end
return {
  title     = "snake",
  rod       = { length = L, section = circle { diameter = 2 * r, shear_factor = 27 / 28 }, material = { young = p.stiff * 1e6, shear = p.stiff * 1e6 / 1.5, density = rho },
                drag = { linear = 2e-3 * rho * math.pi * r * r, spin = 2e-3 * rho * math.pi * r * r } },
  initial   = { shape = straight { from = { 0, 0, 0 }, along = { 0, 0, 1 } } },
  gravity   = { 0, -g, 0 },
  obstacles = { plane { name = "ground", point = { 0, -r, 0 }, normal = { 0, 1, 0 }, stiffness = 1e4, damping = 10,
                        friction = { forward = own * p.mu, back = own * 1.5 * p.mu, lateral = own * 2 * p.mu } } },
  loads     = loads,
  ends      = { start  = free { moment = function(t) return 0, -couple(0, t), 0 end },
                finish = free { moment = function(t) return 0, couple(L, t), 0 end } },
  time      = { stop = p.stop, output = 0.1 },
  probes    = { middle = { at = L / 2 } },
  method    = "director",
  options   = { n = 25, degree = 1, dt = 2e-3, xi = 0.5 },
}
