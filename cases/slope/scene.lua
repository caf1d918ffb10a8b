-- Two rods on a slope of 30 degrees: one lies along it and slides, the other lies across and rolls ahead.
-- plot: --what slides.x --what rolls.x
-- plot stick: --what slides.x --what rolls.x
-- with stick: --set obstacles.1.friction=0.8
local g, a, r = 9.81, math.rad(30), 0.01
local c, s = math.cos(a), math.sin(a)
local function rod(name, y, along)
  return { name = name, length = 0.4, section = circle { diameter = 2 * r }, material = { young = 1e6, poisson = 0.3, density = 1000 },
           initial = { shape = straight { from = { r * s, y, r * c }, along = along } } }
end
return {
  title     = "sliding and rolling",
  rods      = { rod("slides", 0, { c, 0, -s }), rod("rolls", 1, { 0, 1, 0 }) },
  gravity   = { 0, 0, -g },
  obstacles = { plane { name = "slope", normal = { s, 0, c }, friction = 0.3, stiffness = 1e5, damping = 10 } },
  time      = { stop = 1, output = 0.05 },
  probes    = { slides = { rod = "slides", at = 0 }, rolls = { rod = "rolls", at = 0.2 }, slope = { obstacle = "slope" } },
  method    = "director",
  options   = { n = 4, dt = 0.005 },
}
