-- A filament of actin in water, whose end is moved to and fro: waves run along it and push it backwards.
-- plot: --shapes --plane xy --count 11 --from 52.2
local L, r = 10e-6, 4e-9                -- length and radius [m]
local EI = 7e-26                        -- 17 micrometres of persistence at room temperature [N m^2]
local mu, wavelength = 1e-3, 10e-6      -- water [Pa s]
local across = 4 * math.pi * mu / (math.log(2 * wavelength / r) - 0.5)
local Sp = 4                            -- L (across w/EI)^(1/4)
local w = EI / across * (Sp / L) ^ 4
local T, a = 2 * math.pi / w, 0.2 * L   -- period and way of the end
return {
  title   = "driven flagellum",
  rod     = { length = L, stiffness = { bend = EI, twist = EI, stretch = 2e-8, shear = 2e-8 },
              viscous = { wavelength = wavelength, diameter = 2 * r, inertia = "none" } },
  medium  = { density = 1000, viscosity = mu },
  initial = { shape = straight { from = { 0, a, 0 }, along = { 1, 0, 0 } } },
  ends    = { start = clamped { position = function(t) return 0, a * math.cos(w * t), 0 end } },
  time    = { stop = 10 * T, output = T / 20 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 12, dt = T / 80 },
}
