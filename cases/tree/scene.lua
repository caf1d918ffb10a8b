-- A tree of 121 branches, welded where they fork, is bent by a gust of wind and swings back.
-- plot: --shapes --probes --every 12 --plane xz
local rods, joints = {}, {}
local function across(d) -- a unit vector across d
  local x, y, z = -d[2], d[1], 0
  if math.abs(d[3]) > 0.9 then x, y, z = 1, 0, -d[1] / d[3] end
  local l = math.sqrt(x * x + y * y + z * z)
  return { x / l, y / l, z / l }
end
local function gust(t) return math.sin(math.pi * math.min(t, 1)) ^ 2 end
local function branch(name, from, along, length, radius, level)
  local wind = 150 * 2 * radius -- N/m: pressure times width
  rods[#rods + 1] = { name = name, length = length, section = circle { diameter = 2 * radius },
                      material = { young = 5e9, poisson = 0.3, density = 900 }, damping = { time = 0.01 },
                      loads = { distributed { force = function(s, t) return wind * gust(t), 0, 0 end } },
                      initial = { shape = straight { from = from, along = along, normal = across(along) } } }
  if level == 4 then return end
  local tip = { from[1] + along[1] * length, from[2] + along[2] * length, from[3] + along[3] * length }
  local u = across(along)
  local v = { along[2] * u[3] - along[3] * u[2], along[3] * u[1] - along[1] * u[3], along[1] * u[2] - along[2] * u[1] }
  for i = 1, 3 do -- three branches, 35 degrees from the one they are on
    local a, c, s = 2 * math.pi * i / 3 + 0.7 * level, math.cos(0.61), math.sin(0.61)
    local d = {}
    for k = 1, 3 do d[k] = c * along[k] + s * (math.cos(a) * u[k] + math.sin(a) * v[k]) end
    local child = name .. i
    branch(child, tip, d, 0.72 * length, 0.55 * radius, level + 1)
    joints[#joints + 1] = weld { parts = { name, child }, at = { length, 0 } }
  end
end
branch("b", { 0, 0, 0 }, { 0, 0, 1 }, 2, 0.06, 0)
rods[1].ends = { start = clamped {} }
return {
  title   = "tree in a gust of wind",
  rods    = rods,
  joints  = joints,
  time    = { stop = 3, output = 0.025 },
  probes  = { fork = { rod = "b", at = 2 }, twig = { rod = "b1111", at = 2 * 0.72 ^ 4 } },
  method  = "director",
  options = { n = 1, degree = 3, dt = 0.0125 },
}
