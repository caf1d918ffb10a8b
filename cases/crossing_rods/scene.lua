-- One soft rod flies into the middle of another, across: they fold around each other, rub, and part.
-- plot: --shapes --view3d --count 7
local function rod(name, from, along, v)
  return { name = name, length = 1, section = circle { diameter = 0.02 }, material = { young = 1e6, poisson = 0.3, density = 1000 },
           initial = { shape = straight { from = from, along = along }, velocity = { 0, 0, v } } }
end
return {
  title   = "two rods collide",
  rods    = { rod("flies", { 0, 0, 0.06 }, { 1, 0, 0 }, -1), rod("waits", { 0.46, -0.4, 0 }, { 0, 1, 0 }, 0) },
  contact = { friction = 0.3 },
  time    = { stop = 0.5, output = 0.01 },
  probes  = { push = { rod = "flies", at = 0.46, what = "contact" }, tip = { rod = "flies", at = 1 } },
  method  = "director",
  options = { n = 16, dt = 5e-4 },
}
