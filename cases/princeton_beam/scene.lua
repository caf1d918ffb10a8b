-- A strip loaded askew bends about both axes and twists: the Princeton beam (EXUDYN, PrincetonBeam).
-- solve: static
-- plot: --view3d
local E, nu, h, w = 71.7e9, 0.31, 12.3777e-3, 3.2024e-3
local A, Iy, Iz, G = h * w, h * w ^ 3 / 12, w * h ^ 3 / 12, E / (2 * (1 + nu))
local beta, F = math.rad(45), 13.345

return {
  title   = "Princeton beam",
  rod     = {
    length = 0.508,
    stiffness = { bend = { E * Iy, E * Iz }, twist = 0.198 * G * (Iy + Iz), stretch = E * A, shear = G * A },
    inertia = { mass = 100 * A, rotary = { 100 * Iy, 100 * Iz, 100 * (Iy + Iz) } },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = free { force = { 0, -F * math.cos(beta), F * math.sin(beta) } } },
  path    = { from = 0, to = 1, steps = 10 },
  method  = "director",
  options = { n = 8, degree = 4 },
}
