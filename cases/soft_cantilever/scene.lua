-- A soft rod, clamped at one end, falls sideways under its weight and swings through below the clamp.
-- plot: --plane xz
return {
  title   = "soft cantilever",
  rod     = { length = 1, section = circle { diameter = 0.05 },
              material = { young = 1e6, shear = 1e6 / 3, density = 1000 } },
  gravity = { 9.81, 0, 0 },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 1, output = 0.02 },
  probes  = { tip = { at = 1, what = "position" } },
  method  = "fdtd",
  options = { n = 40, order = 4 },
}
