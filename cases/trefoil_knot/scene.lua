-- An overhand knot is tied loosely and pulled: it slides into a round loop whose traction grows as it closes.
-- plot: --shapes --view3d --count 5
-- plot pull: --what pull.x --from 0.1
-- with pull: --set params.mu=0
-- with pull: --set params.mu=0.1
local p = params {
  r    = { 3e-3, 2e-4, 0.01, "m", "radius of the rod, whose length is 1" },
  n    = { 160, 100, 2000, "", "elements" },
  e    = { 0.34, 0.2, 0.5, "m", "shortening at the end: what is left in the knot" },
  mu   = { 0, 0, 0.5, "", "friction of the rod with itself" },
  back = { 0, 0, 0.5, "m", "how much is let out again" },
  pull = { 1, 0.1, 10, "s", "how long the pull takes, and the letting out" },
}
local w, a, R, T = 0.10, 8 * p.r, 0.07, 0.35 -- half the braid, half its width, radius of the turns, tails
local points, length = {}, 0
local function add(x, y, z)
  points[#points + 1] = { x, y, z }
  local b = points[#points - 1]
  if b then length = length + math.sqrt((x - b[1]) ^ 2 + (y - b[2]) ^ 2 + (z - b[3]) ^ 2) end
end
local function braid(sign) -- three half turns about the other strand: with one it would be no knot
  for i = 0, 48 do
    local q = i / 48
    local f = 3 * math.pi * q * q * (3 - 2 * q)
    add(w * (2 * q - 1), -sign * a * math.sin(f), -sign * a * math.cos(f))
  end
end
local function turn(x, from) -- half a circle
  for i = 1, 19 do
    local f = from + math.pi * i / 20
    add(x + R * math.cos(f), 0, a + R + R * math.sin(f))
  end
end
for i = 0, 5 do add(-w - T + T * i / 6, 0, -a) end
braid(1)
turn(w, -math.pi / 2)
for i = 0, 6 do add(w - w * i / 3, 0, a + 2 * R) end
turn(-w, math.pi / 2)
braid(-1)
for i = 1, 6 do add(w + T * i / 6, 0, -a) end
for i = 1, #points do for k = 1, 3 do points[i][k] = points[i][k] / length end end
local first, last = points[1], points[#points]
local function rate(q) return q > 0 and q < 1 and 6 * q * (1 - q) / p.pull or 0 end -- starts and ends gently
local way = 1 - p.e - (last[1] - first[1])
return {
  title   = "trefoil knot",
  rod     = { stiffness = { bend = 1, twist = 1, stretch = 1e6, shear = 1e6 }, inertia = { mass = 1, rotary = 1e-6 }, radius = p.r,
              damping = { time = 5e-4 }, drag = { linear = 30, spin = 1e-3 } },
  initial = { shape = through(points) },
  contact = { pair = 1e6, friction = p.mu, damping = 0.1 },
  ends    = { start  = pinned { position = first },
              finish = pinned { velocity = function(t) return way * rate(t / p.pull) - p.back * rate(t / p.pull - 1), 0, 0 end } },
  time    = { stop = p.back > 0 and 2 * p.pull or p.pull, output = 0.02 },
  probes  = { pull = { at = 0, what = "force" } },
  method  = "director",
  options = { n = p.n, degree = 1, dt = 1e-3, xi = 0.5 },
}
