-- The violin A string under a bow-like drive: a point force that follows a saw tooth at the pitch of the
-- string, as a bow does that sticks and slips once a period.
-- plot: --probes --spectrum bridge
-- sound:
-- replay: --set time.stop=0.05 --set time.output=1/7040
local L, f = 0.328, 440
local at, force = 0.12 * L, 0.02 -- [m], [N]

return {
  title   = "bowed string",
  rod     = { length = L, section = circle { diameter = 0.3575e-3 }, tension = 65,
              material = { young = 2.0e11, poisson = 0.3, density = 7800 },
              drag = { linear = 0.02 }, damping = { time = 1e-8 } },
  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0, 0, L } } },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  loads   = { point { at = at, force = function(t) return force * (2 * ((f * t) % 1) - 1), 0, 0 end } },
  time    = { stop = 0.5, output = 0.01 },
  probes  = { bridge = { at = 0.1 * L, what = "velocity", every = 1 / 44100 } },
  method  = "fdtd",
  options = { n = 40, order = 2, inertia = "regularised" },
}
