-- The plastic fibre lies in equilibrium between its support and the platform, which then pushes it by
-- 25 mm in 0.05 s ([CH] 5.3.2, figures 5-9 and 5-13, with its true inertia).
-- with: --set time.stations=101
-- plot: --shapes --count 12
-- plot moment: --profile moment
-- plot force: --profile force.material
local E, G, A, I, rho = 1.02169e9, 3.92958e8, 1.00531e-5, 5.22761e-12, 2200
local L, pi = 0.4, math.pi
local height = 0.088

-- quadF of [CH]: two parabolas from a to b in time T
local function quad(a, b, T, t)
  if t > T then return b
  elseif t > T / 2 then return 2 * a - b + 4 * (b - a) * t / T + 2 * (a - b) * t * t / T ^ 2 end
  return a + 2 * (b - a) * t * t / T ^ 2
end

local function platform(t) return quad(0, -0.025, 0.05, t), height, 0 end

return {
  title   = "a fibre, pushed",
  rod     = {
    length    = L,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * 2 * I },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * 2 * I } },
    rest      = arc { radius = 0.25, along = { 1, 0, 0 }, normal = { 0, 1, 0 } },
    drag      = { linear = 0.5 },
  },
  initial = static { shape = arc { radius = L / pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped { position = platform } },
  floor   = { point = { 0, 0, 0 }, normal = { 0, 1, 0 }, stiffness = 1e4, axis = true },
  time    = { stop = 0.1, output = 0.005 },
  method  = "cheb",
  options = { n = 24, ends = "B", dt = 1e-3, integrator = "radau" },
}
