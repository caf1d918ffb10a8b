-- A conical spring between two plates, pressed down by the upper one.
-- Radius R + c u and height h u over the angle u; its arc length has a closed form, inverted by Newton.
local R, small, turns, height = 20e-3, 8e-3, 6, 60e-3 -- radii, turns, height [m]
local stop = 2 * math.pi * turns
local c, h = (small - R) / stop, height / stop
local q2 = c * c + h * h

local function asinh(x) return x < 0 and -asinh(-x) or math.log(x + math.sqrt(x * x + 1)) end
local function primitive(w) return (w * math.sqrt(w * w + q2) + q2 * asinh(w / math.sqrt(q2))) / (2 * c) end
local function arc(u) return primitive(R + c * u) - primitive(R) end
local function angle(s)
  local u = s / R
  for _ = 1, 30 do
    local step = (s - arc(u)) / math.sqrt((R + c * u) ^ 2 + q2)
    u = u + step
    if math.abs(step) < 1e-12 then break end -- Newton: the next one would be 1e-24
  end
  return u
end
local function point(s)
  local u = angle(s)
  local w = R + c * u
  return w * math.cos(u), w * math.sin(u), h * u
end

local L = arc(stop)
local press, time = 0.4 * height, 0.4 -- how far, how long

-- plot: --shapes --energy --view3d --count 5
return {
  title   = "conical spring",
  rod     = {
    length = L, section = circle { diameter = 1.5e-3 },
    material = { young = 2.06e11, shear = 7.85e10, density = 7850 },
    damping = { time = 1e-4 },
    rest = curve(point),
  },
  ends    = {
    start  = clamped {},
    finish = clamped { position = function(t)
      local x, y, z = point(L)
      return x, y, z - press * 0.5 * (1 - math.cos(math.pi * math.min(t / time, 1)))
    end },
  },
  time    = { stop = 0.4, output = 0.01 },
  probes  = { middle = { at = L / 2, what = "position" } },
  method  = "kirchhoff",
  options = { n = 240, dt = 1e-3 },
}
