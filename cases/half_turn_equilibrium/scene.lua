-- The equilibrium of the half turn once its upper end has come down ([CH] 5.1.2, figure 5-2).
-- solve: static
-- with: --set time.stations=101
-- plot: --shapes
-- plot thick: --shapes --frames 0,4 --thick 0.04
local E, G, A, I, rho = 12, 4, 1, 0.2, 1
local pi = math.pi
local down = 251199 * 0.002 ^ 2 -- how far Euler's method takes the end in [CH] 5.1.1 and 5.1.2

return {
  title   = "half turn, equilibrium",
  rod     = {
    length    = 2,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * 2 * I },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * 2 * I } },
  },
  initial = { shape = arc { radius = 2 / pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = {
    start  = clamped {},
    finish = clamped { position = function(t) return 0, 4 / pi - down * t, 0 end },
  },
  path    = { from = 0, to = 1, steps = 4 },
  method  = "cheb",
  options = { n = 16, ends = "B" },
}
