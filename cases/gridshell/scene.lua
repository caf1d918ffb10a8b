-- A flat grid of laths, hinged where they cross, is pushed together at its border and rises to a dome.
-- solve: static
-- plot: --shapes --every 20
local k, mesh, over = 6, 0.4, 0.2            -- laths each way; between crossings; beyond the last one [m]
local length = (k - 1) * mesh + 2 * over
local rods, joints = {}, {}
local function lath(name, x, y, ax, ay)
  -- where its ends go: along the lath, further in the middle of the border than near its corners
  local at = ax ~= 0 and y or x
  local way = 0.2 * math.cos(math.pi * at / length) ^ 2
  local function held(from, sign)
    return pinned { position = function(t) return from[1] + sign * t * way * ax, from[2] + sign * t * way * ay, 0 end }
  end
  local far = { x + ax * length, y + ay * length }
  rods[#rods + 1] = { name = name, length = length, section = rectangle { width = 0.02, height = 0.01 },
                      material = { young = 1e10, poisson = 0.3, density = 500 },
                      loads = { distributed { force = function() return 0, 0, 4 end } }, -- which way is up: not scaled by the factor
                      ends = { start = held({ x, y }, 1), finish = held(far, -1) },
                      initial = { shape = straight { from = { x, y, 0 }, along = { ax, ay, 0 }, normal = { 0, 0, 1 } } } }
end
for i = 1, k do
  local at = (i - 1) * mesh - 0.5 * (k - 1) * mesh
  lath("x" .. i, -0.5 * length, at, 1, 0)
  lath("y" .. i, at, -0.5 * length, 0, 1)
end
for i = 1, k do
  for j = 1, k do
    joints[#joints + 1] = hinge { parts = { "x" .. j, "y" .. i }, axis = { 0, 0, 1 },
                                  at = { over + (i - 1) * mesh, over + (j - 1) * mesh } }
  end
end
return {
  title   = "gridshell raised from a flat grid",
  rods    = rods,
  joints  = joints,
  path    = { from = 0, to = 1, steps = 20 },
  probes  = { top = { rod = "x3", at = over + 2.5 * mesh } },
  method  = "director",
  options = { n = 12, degree = 2 },
}
