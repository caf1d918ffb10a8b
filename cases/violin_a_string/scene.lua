-- A steel violin string tuned to A, plucked at a fifth of its length.
-- plot: --spectrum bridge
-- sound:
-- replay: --set time.stop=0.02 --set time.output=1/7040
local L = 0.328 -- speaking length [m]

return {
  title   = "violin A string",
  rod     = { length = L, section = circle { diameter = 0.3575e-3 }, tension = 65,
              material = { young = 2.0e11, poisson = 0.3, density = 7800 } },
  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0, 0, L } } },
  initial = { shape = pluck { at = L / 5, height = 0.2e-3, direction = { 1, 0, 0 } } },
  time    = { stop = 0.5, output = 0.01 },
  probes  = { bridge = { at = 0.1 * L, what = "position", every = 1 / 44100 } },
  method  = "fdtd",
  options = { n = 48, order = 6 },
}
