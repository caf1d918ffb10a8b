-- A cantilever under two end moments, twist and bending together (EXUDYN, GeneralBending2013).
-- solve: static
-- plot: --view3d
local E, nu, h, w = 2.07e11, 0.3, 0.2, 0.4
local A, Iy, Iz, G = h * w, h * w ^ 3 / 12, w * h ^ 3 / 12, E / (2 * (1 + nu))

return {
  title   = "general bending of 2013",
  rod     = {
    length = 2,
    stiffness = { bend = { E * Iy, E * Iz }, twist = 0.5768 * G * (Iy + Iz), stretch = E * A,
                  shear = { 0.8331 * G * A, 0.7961 * G * A } },
    inertia = { mass = 100 * A, rotary = { 100 * Iy, 100 * Iz, 100 * (Iy + Iz) } },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { moment = { 0.5e6, 2e6, 0 } } },
  path    = { from = 0, to = 1, steps = 10 },
  method  = "director",
  options = { n = 8, degree = 4 },
}
