-- One of many strings of random tension, gauge and place of the pluck, as heard at its bridge.
-- plot: --spectrum bridge
-- sweep pitch: --over params.pull=40..90 --over params.gauge=0.25e-3..0.45e-3 --over params.place=0.05..0.5 --sample sobol:512 --want bridge.x:frequency --want bridge.x:max
-- plot pitch: --what bridge.x:frequency --against params.pull
-- sweep all: --over params.pull=40..90 --over params.gauge=0.25e-3..0.45e-3 --over params.place=0.05..0.5 --sample sobol:128 --want bridge.x:frequency --want bridge.x:max
-- plot all: --parallel
-- sound:
local p = params {
  pull  = { 65, 20, 200, "N", "tension" },
  gauge = { 0.3575e-3, 0.1e-3, 1e-3, "m", "diameter of the wire" },
  place = { 0.2, 0.02, 0.98, "-", "where it is plucked, of its length" },
}
local L = 0.328 -- speaking length [m]

return {
  title   = "ensemble of strings",
  rod     = { length = L, section = circle { diameter = p.gauge }, tension = p.pull,
              material = { young = 2.0e11, poisson = 0.3, density = 7800 } },
  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0, 0, L } } },
  initial = { shape = pluck { at = p.place * L, height = 0.2e-3, direction = { 1, 0, 0 } } },
  time    = { stop = 0.05, output = 0.01 },
  probes  = { bridge = { at = 0.1 * L, what = "position", every = 1 / 48000 } },
  method  = "fdtd",
  options = { n = 32, order = 4, inertia = "regularised", dt = 1 / 720000 },
}
