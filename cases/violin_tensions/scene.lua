-- A plucked violin A string at 64, 65 and 66 N: below, at and above 440 Hz ([FD] figures 4.1 to 4.4).
-- replay: --set time.stop=0.02 --set time.output=1/7040
local L = 0.328 -- speaking length [m]

local rods, probes = {}, {}
for i, tension in ipairs { 64, 65, 66 } do
  rods[i] = {
    name     = tension .. " N", length = L, tension = tension,
    section  = circle { diameter = 0.3575e-3 },
    material = { young = 2.0e11, poisson = 0.3, density = 7800 },
    initial  = { shape = pluck { at = L / 5, height = 5e-5, direction = { 1, 0, 0 }, along = { 0, 0, 1 } } },
    ends     = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0, 0, L } } },
  }
  probes["t" .. tension] = { rod = i, at = L / 2, what = "position", every = 1 / 8820 }
end

return {
  title   = "three tensions",
  rods    = rods,
  time    = { stop = 0.3, output = 0.01 },
  probes  = probes,
  method  = "fdtd",
  options = { n = 24, order = 6, inertia = "regularised", dt = 1e-6 },
}
