-- A soft magnetic cantilever bends into a field across it, as far as a force at its end would bend it.
-- solve: static
-- plot: --shapes --plane xz
-- plot tip: --what tip.x
local p = params { field = { 0.03, 0, 1, "T", "flux density at the end of the path" } }
local d = 1e-3
return {
  title   = "magnetic cantilever",
  rod     = { length = 0.02, section = circle { diameter = d }, material = { young = 1e6, poisson = 0.49, density = 2000 },
              magnet = { 0, 0, 5e4 * math.pi / 4 * d ^ 2 } }, -- 50 kA/m along the rod
  initial = { shape = straight { along = { 0, 0, 1 } } },
  ends    = { start = clamped {} },
  field   = { value = { p.field, 0, 0 } },
  path    = { from = 0, to = 1, steps = 10 },
  probes  = { tip = { at = 0.02 } },
  method  = "director",
}
