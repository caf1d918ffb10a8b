-- The fibre of [CH] 5.3 is brought from half a circle down to its platform in 10 ms, with 10^5 times its bending
-- stiffness and rotary inertia ([CH] 5.3.2, Assembly, figure 5-9).
-- with: --set time.stations=101
-- plot: --shapes --count 9
-- plot energy: --energy
local E, G, A, I, rho = 1.02169e9, 3.92958e8, 1.00531e-5, 5.22761e-12, 2200
local L, pi, more = 0.4, math.pi, 1e5

-- quadF of [CH]: two parabolas from a to b in time T
local function quad(a, b, T, t)
  if t > T then return b
  elseif t > T / 2 then return 2 * a - b + 4 * (b - a) * t / T + 2 * (a - b) * t * t / T ^ 2 end
  return a + 2 * (b - a) * t * t / T ^ 2
end

local function platform(t) return 0, quad(2 * L / pi, 0.088, 0.01, t), 0 end

return {
  title   = "a fibre, assembled",
  rod     = {
    length    = L,
    stiffness = { stretch = E * A, shear = G * A, bend = more * E * I, twist = more * G * 2 * I },
    inertia   = { mass = rho * A, rotary = { more * rho * I, more * rho * I, more * rho * 2 * I } },
    rest      = arc { radius = 0.25, along = { 1, 0, 0 }, normal = { 0, 1, 0 } },
    drag      = { linear = 1000, spin = 100 },
  },
  initial = { shape = arc { radius = L / pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped { position = platform } },
  floor   = { point = { 0, 0, 0 }, normal = { 0, 1, 0 }, stiffness = 1e4, axis = true },
  time    = { stop = 0.02, output = 0.0005 },
  method  = "cheb",
  options = { n = 12, ends = "B", dt = 2e-5, integrator = "rk3" },
}
