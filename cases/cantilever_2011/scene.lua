-- A deep cantilever under an end load of 62.5 MN (EXUDYN, Cantilever2011; factor 0.001 is CantileverLinear2011).
-- solve: static
-- plot: --plane xy
local E, nu, h, w = 2.07e11, 0.3, 0.5, 0.1
local A, G, k = h * w, E / (2 * (1 + nu)), 10 * (1 + nu) / (12 + 11 * nu)

return {
  title   = "cantilever of 2011",
  rod     = {
    length = 2,
    stiffness = { bend = { E * h * w ^ 3 / 12, E * w * h ^ 3 / 12 }, twist = G * (h * w ^ 3 + w * h ^ 3) / 12,
                  stretch = E * A, shear = k * G * A },
    inertia = { mass = 100 * A, rotary = { 100 * h * w ^ 3 / 12, 100 * w * h ^ 3 / 12, 100 * A * (h * h + w * w) / 12 } },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { force = { 0, 5e8 * h ^ 3, 0 } } },
  path    = { from = 0, to = 1, steps = 10 },
  method  = "director",
  options = { n = 8, degree = 4 },
}
