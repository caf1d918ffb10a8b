-- A natural frame carried along a space curve, here the rest shape of a bent wire (Fernando, figure 3.3).
-- The curve winds once round a torus; a table of its arc length turns the angle u into s.
local R, a, steps = 2, 0.6, 4000
local function point(u) return (R + a * math.cos(3 * u)) * math.cos(u), (R + a * math.cos(3 * u)) * math.sin(u), a * math.sin(3 * u) end
local function speed(u) local w = R + a * math.cos(3 * u); return math.sqrt(w * w + 9 * a * a) end

local stop = 5.5 -- angle of the last point
local s = { [0] = 0 }
for k = 1, steps do -- Simpson's rule
  local u, h = stop * (k - 1) / steps, stop / steps
  s[k] = s[k - 1] + h / 6 * (speed(u) + 4 * speed(u + h / 2) + speed(u + h))
end
local L = s[steps]

-- The angle at arc length x: bisection in the table, then Newton with the exact speed.
local function angle(x)
  local lo, hi = 0, steps
  while hi - lo > 1 do
    local mid = (lo + hi) // 2
    if s[mid] <= x then lo = mid else hi = mid end
  end
  local u0, u = stop * lo / steps, stop * lo / steps + (x - s[lo]) / speed(stop * lo / steps)
  for _ = 1, 4 do
    local h = u - u0
    local at = s[lo] + h / 6 * (speed(u0) + 4 * speed(u0 + h / 2) + speed(u))
    u = u + (x - at) / speed(u)
  end
  return u
end

return {
  title   = "natural frame",
  rod     = {
    length = L, stiffness = { bend = 1, twist = 0.8 }, inertia = { mass = 1 },
    rest = curve(function(x) return point(angle(x)) end),
  },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 2, output = 1 },
  method  = "kirchhoff",
  options = { n = 120, dt = 0.1 },
}
