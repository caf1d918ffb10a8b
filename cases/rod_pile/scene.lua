-- Fifty rods fall into a cup and come to rest in a pile.
-- plot: --shapes --view3d --count 1 --from 0.99
-- plot energy: --what kinetic --what bottom.z
local p = params { count = { 50, 1, 200, "", "rods" } }
local r, L, R = 4e-3, 0.1, 0.055 -- of the rods; radius of the cup
local rods = {}
for i = 0, p.count - 1 do
  local a, z, off = 2.39996 * i, 0.02 + 0.012 * i, 0.008 * math.sin(1.7 * i) -- each turned by the golden angle
  local c, s = math.cos(a), math.sin(a)
  rods[i + 1] = { name = "rod" .. (i + 1), length = L, section = circle { diameter = 2 * r }, material = { young = 2e6, poisson = 0.4, density = 1100 },
                  damping = { time = 1e-3 },
                  initial = { shape = straight { from = { -L / 2 * c - off * s, -L / 2 * s + off * c, z }, along = { c, s, 0.02 * math.sin(i) } } } }
end
return {
  title     = "pile of rods",
  rods      = rods,
  gravity   = { 0, 0, -9.81 },
  contact   = { stiffness = 1e5, pair = 500, friction = 0.3, damping = 2 },
  obstacles = { cylinder { name = "cup", radius = R + r, inside = true }, plane { name = "bottom" } },
  time      = { stop = 1, output = 0.02 },
  probes    = { bottom = { obstacle = "bottom" } },
  method    = "director",
  options   = { n = 4, degree = 1, dt = 1e-3, xi = 0.5 },
}
