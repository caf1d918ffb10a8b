-- With the stretch switched off, a pluck along x and gravity along y disturb each other through bending and twist
-- alone ([FD] figures 4.8 and 4.9): four strings, both stimuli, each alone, and both on a string without twist stiffness.
local L, T, E, d, rho = 0.328, 65, 2.0e11, 0.3575e-3, 7800
local A = math.pi / 4 * d ^ 2
local weight = rho * A / (1 + T / (E * A)) * 980.665 -- a hundred times gravity: the coupling goes with its square

local function pluck(s, t) -- N/m, over after 0.4 ms
  if t >= 4e-4 then return 0, 0, 0 end
  return 100 * math.exp(-((s - L / 4) / 0.012) ^ 2) * math.sin(math.pi * t / 4e-4) ^ 2, 0, 0
end

local function string(name, loads, twist)
  return {
    name     = name, stiffness = { twist = twist }, length = L, tension = T, loads = loads,
    section  = circle { diameter = d }, material = { young = E, poisson = 0.3, density = rho },
    initial  = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
    ends     = { start = pinned {}, finish = pinned {} },
  }
end

local x, y = distributed { force = pluck, from = L / 4 - 0.04, to = L / 4 + 0.04 }, distributed { force = { 0, -weight, 0 } }
local probes = {}
for i, name in ipairs { "both", "pluck", "gravity", "untwisted" } do
  probes[name] = { rod = i, at = L / 4, what = "position", every = 2e-5 }
end

return {
  title   = "coupling through the twist",
  rods    = { string("both", { x, y }), string("pluck", { x }), string("gravity", { y }),
              string("untwisted", { x, y }, 1e-20) },
  time    = { stop = 0.006, output = 1e-3 },
  probes  = probes,
  method  = "fdtd",
  options = { n = 48, order = 4, dilation = "off" },
}
