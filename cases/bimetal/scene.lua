-- A bimetal strip is heated along its length, one part after the other: it curls up and swings.
-- plot: --shapes --every 3
-- plot tip: --what rest --what tip.z
local length, thick, width = 0.1, 0.4e-3, 5e-3
local expansion, hot = 17e-6 - 1.2e-6, 300          -- brass on invar: difference of the expansions [1/K]; [K]
local young, density = 1.2e11, 8.3e3                -- mean of both layers
local speed = 1                                     -- of the front of heat [m/s]

-- Timoshenko: two layers of the same thickness and modulus bend by 1.5 alpha dT/d, as if the
-- temperature had this gradient
local function gradient(s, t)
  return -1.5 * hot / thick / (1 + math.exp((s - speed * t + 0.04) / 5e-3)), 0
end

return {
  title   = "bimetal strip",
  rod     = { length = length, section = rectangle { width = thick, height = width },
              material = { young = young, poisson = 0.3, density = density },
              damping = { time = 2e-5 },
              heat = { expansion = expansion, gradient = gradient } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  ends    = { start = clamped {} },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 0.3, output = 5e-3 },
  probes  = { tip = { at = length, what = "position" } },
  method  = "director",
  options = { n = 20 },
}
