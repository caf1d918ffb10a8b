-- A steel bar, free at both ends as a glockenspiel bar on its cords, struck near the middle.
-- plot: --spectrum edge
-- sound:
local L, width = 0.2, 0.006 -- [m]; the hammer touches this much of the bar

return {
  title   = "struck steel bar",
  rod     = { length = L, section = rectangle { width = 0.02, height = 0.008, shear_factor = 5 / 6 },
              material = { young = 2.0e11, poisson = 0.3, density = 7800 },
              drag = { linear = 4 }, damping = { time = 2e-9 } },
  ends    = { start = free {}, finish = free {} },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } },
              velocity = function(s) return 0, math.exp(-((s - 0.42 * L) / width) ^ 2), 0 end },
  time    = { stop = 0.5, output = 0.01 },
  probes  = { edge = { at = 0, what = "velocity", every = 1 / 44100 } },
  method  = "fdtd",
  options = { n = 60, order = 4 },
}
