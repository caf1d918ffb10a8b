-- A pluck along x and gravity along y disturb each other through the stretch of a violin string
-- ([FD] figures 4.1, 4.5, 4.6 and 4.7): three strings, both stimuli and each alone.
local L, T, E, d, rho = 0.328, 65, 2.0e11, 0.3575e-3, 7800
local A = math.pi / 4 * d ^ 2
local weight = rho * A / (1 + T / (E * A)) * 9.80665 -- per length of the stretched string

local function pluck(s, t) -- N/m, over after 0.4 ms
  if t >= 4e-4 then return 0, 0, 0 end
  return 100 * math.exp(-((s - L / 4) / 0.012) ^ 2) * math.sin(math.pi * t / 4e-4) ^ 2, 0, 0
end

local function string(name, loads)
  return {
    name     = name, length = L, tension = T, loads = loads,
    section  = circle { diameter = d }, material = { young = E, poisson = 0.3, density = rho },
    initial  = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
    ends     = { start = pinned {}, finish = pinned {} },
  }
end

local x, y = distributed { force = pluck, from = L / 4 - 0.04, to = L / 4 + 0.04 }, distributed { force = { 0, -weight, 0 } }
local probes = {}
for i, name in ipairs { "both", "pluck", "gravity" } do
  probes[name] = { rod = i, at = L / 4, what = "position", every = 2e-5 }
end

return {
  title   = "coupling through the stretch",
  rods    = { string("both", { x, y }), string("pluck", { x }), string("gravity", { y }) },
  time    = { stop = 0.01, output = 1e-3 },
  probes  = probes,
  method  = "fdtd",
  options = { n = 64, order = 4, inertia = "regularised" },
}
