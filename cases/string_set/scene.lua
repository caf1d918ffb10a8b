-- A steel guitar string of a gauge under a tension: pitch, and how far its partials are from whole multiples.
-- plot: --spectrum bridge
-- sweep pitch: --modes 15 --set options.n=48 --over params.gauge=0.2e-3..0.5e-3:13 --over params.pull=40..120:13 --want frequency.2 --want frequency.6
-- plot pitch: --what frequency.2 --what frequency.6
local p = params {
  gauge = { 0.254e-3, 0.15e-3, 0.8e-3, "m", "diameter of the wire" },
  pull  = { 72.06, 10, 200, "N", "tension" },
}
local L = 0.65 -- scale length [m]

return {
  title   = "a string of a guitar set",
  rod     = { length = L, section = circle { diameter = p.gauge }, tension = p.pull,
              material = { young = 2.0e11, poisson = 0.3, density = 7800 } },
  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0, 0, L } } },
  initial = { shape = pluck { at = L / 6, height = 0.2e-3, direction = { 1, 0, 0 } } },
  time    = { stop = 0.03, output = 0.01 },
  probes  = { bridge = { at = 0.1 * L, what = "position", every = 1 / 44100 } },
  method  = "fdtd",
  options = { n = 96, order = 6 },
}
