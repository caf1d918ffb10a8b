-- A filament whose magnetic head follows a field around a cone swims: its tail bends into a screw.
-- plot: --shapes --view3d --count 5
-- plot way: --what head.z
local p = params {
  rate  = { 3, 0.1, 100, "rad/s", "rate at which the field turns" },
  field = { 0.01, 0, 1, "T", "flux density" },
  mu    = { 0.05, 1e-4, 10, "Pa s", "viscosity of the fluid" },
  turns = { 8, 1, 100, "", "turns of the field" },
}
local L, d, head = 0.01, 2e-4, 1e-3
local slender = math.log(2 * L / d)
local M = 5e4 * math.pi / 4 * d ^ 2
local stop = 2 * math.pi * p.turns / p.rate
return {
  title   = "magnetic swimmer",
  rod     = { length = L, section = circle { diameter = d }, material = { young = 1e6, poisson = 0.49, density = 1100 },
              magnet = function(s) return 0, 0, s < head and M or 0 end,
              viscous = { normal = 4 * math.pi * p.mu / (slender + 0.5), tangential = 2 * math.pi * p.mu / (slender - 0.5), spin = math.pi * p.mu * d ^ 2 } },
  initial = { shape = straight { along = { 0, 0, 1 } } },
  field   = { value = function(t) return p.field * math.cos(p.rate * t), p.field * math.sin(p.rate * t), 0.5 * p.field end },
  time    = { stop = stop, output = stop / 40 },
  probes  = { head = { at = 0 } },
  method  = "director",
  options = { n = 10, dt = stop / 800 },
}
