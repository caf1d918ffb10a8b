-- The arm of an octopus: a muscle bends it in a wave that runs to its tip, and fibres across stretch what is behind.
-- plot: --shapes --every 2
-- plot work: --what muscle --what tip.x
local L, drive, lag = 0.2, 0.25, 0.03
local function radius(s) return 12e-3 * (1 - 0.9 * s / L) end
local function area(share) return function(s) return share * math.pi * radius(s) ^ 2 end end
return {
  title = "octopus arm",
  rod = { length = L, section = circle { diameter = function(s) return 2 * radius(s) end },
          material = { young = 1e4, shear = 1e4 / 3, density = 1050 },
          damping = { time = 0.02 }, drag = { linear = 0.1 } },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  ends = { start = clamped {} },
  loads = {
    muscle { route = function(s) return 0.65 * radius(s), 0 end, area = area(0.1), stress = 1e4,
             activation = function(s, t) return math.exp(-((s - drive * t + lag) / 0.025) ^ 2) end,
             rise = 0.04, fall = 0.06, length_law = 0.45, velocity_law = { most = 4 } },
    muscle { across = true, area = area(0.25), stress = 1e4,
             activation = function(s, t) return 0.3 / (1 + math.exp(-2 * (drive * t - lag - s) / 0.02)) end,
             rise = 0.04, fall = 0.06, length_law = 0.45, velocity_law = { most = 4 } } },
  time = { stop = 1, output = 0.05 },
  method = "director", options = { n = 24, dt = 2e-3 },
  probes = { tip = { at = L, what = "position"} },
}
