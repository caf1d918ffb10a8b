-- A chain holds a platform in deep water: part of it lies on the sea bed, and waves move its upper end.
-- plot: --shapes --plane xz --every 4 --probes
local depth, span, L = 250, 848.67, 902.2             -- [m]
local d, mass, EA = 0.09, 77.7066, 384.243e6          -- of a bar of steel with the mass and stiffness of the chain
local wet = 1 - 1025 * math.pi / 4 * d ^ 2 / mass     -- of the weight, in sea water

-- The start: flat on the bed, then a chain that does not stretch.
local function asinh(x) return math.log(x + math.sqrt(x * x + 1)) end
local function hanging(a) return math.sqrt(depth * (depth + 2 * a)) end
local low, high = 10, 5000
for _ = 1, 100 do
  local a = (low + high) / 2
  if L - hanging(a) + a * asinh(hanging(a) / a) > span then high = a else low = a end
end
local a = (low + high) / 2
local laid = L - hanging(a)
local function start(s)
  if s < laid then return s, 0, 0 end
  return laid + a * asinh((s - laid) / a), 0, math.sqrt(a ^ 2 + (s - laid) ^ 2) - a
end

local function waves(t)
  local part = 0.5 * (1 - math.cos(math.pi * math.min(1, t / 20)))
  return span + 2 * part * math.sin(0.6 * t), 0, depth + part * math.cos(0.6 * t) - part
end

return {
  title     = "mooring line",
  rod       = { length = L, kind = "cable", stiffness = { stretch = EA }, inertia = { mass = mass }, radius = d / 2,
                drag = { quadratic = 0.5 * 1025 * d * 1.6 }, damping = { time = 0.01 } },
  gravity   = { 0, 0, -9.81 * wet },
  ends      = { start = pinned {}, finish = pinned { position = waves } },
  initial   = static { shape = curve(start) },
  obstacles = { plane { name = "bed", point = { 0, 0, -d / 2 }, stiffness = 1e5 } },
  contact   = { self = false, rods = false },
  time      = { stop = 60, output = 0.5 },
  probes    = { fairlead = { at = L, what = "tension" }, anchor = { at = 0, what = "tension" } },
  method    = "director",
  options   = { n = 60, degree = 2, dt = 0.05 },
}
