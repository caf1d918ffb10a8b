-- A rod twisted by 27 turns and slackened by 3 %: a helix under an envelope (PyElastica, HelicalBucklingCase).
-- solve: static
-- plot: --profile position
-- Starts from the solution of an infinitely long rod: moment M and tension T solve, with m = M / sqrt(B T),
--   slack = 4 sqrt(B/T) sqrt(1 - m^2/4),   27 * 2 pi = M L / C + 4 acos(m/2).
local L, B, C, slack = 100, 1.345, 0.789, 3
local M, T = 98.541496171190744 * B / L, 2900.993205792131 * B / L ^ 2
local m = M / math.sqrt(B * T)
local a = math.sqrt(1 - m * m / 4)
local b = a * math.sqrt(T / B)

local function tanh(x) return 1 - 2 / (math.exp(2 * x) + 1) end

-- Euler angles theta, psi, phi and the rates of theta and psi at x = s - L/2
local function angles(x)
  local u = tanh(b * x)
  local half = a * math.sqrt(1 - u * u) -- sin(theta / 2)
  local theta = 2 * math.asin(half)
  local psi = M * x / (2 * B) + math.atan(2 * a * u / m)
  local phi = (M / C - M / B) * x + psi
  return theta, psi, phi, -2 * b * u * half / math.sqrt(1 - half * half), M / (2 * B * (1 - half * half))
end

local theta0, psi0, phi0 = angles(-L / 2)
local turn = psi0 + phi0 -- brings d1(0) to x, but for the small angle theta0
psi0, phi0 = psi0 - turn / 2, phi0 - turn / 2

return {
  title   = "helical buckling",
  rod     = { length = L, stiffness = { bend = B, twist = C, stretch = 1e5, shear = 1e5 }, inertia = { mass = 1 } },
  initial = {
    shape = curvature {
      strain = function(s)
        local theta, _, phi, dtheta, dpsi = angles(s - L / 2)
        phi = phi - turn / 2
        return dtheta * math.sin(phi) - dpsi * math.sin(theta) * math.cos(phi),
               dtheta * math.cos(phi) + dpsi * math.sin(theta) * math.sin(phi), M / C
      end,
      along = { math.sin(theta0) * math.cos(psi0), math.sin(theta0) * math.sin(psi0), math.cos(theta0) },
      normal = { 1, 0, 0 },
    },
  },
  ends    = {
    start  = clamped { position = { 0, 0, 0 }, tangent = { 0, 0, 1 }, normal = { 1, 0, 0 } },
    finish = clamped { position = { 0, 0, L - slack }, tangent = { 0, 0, 1 }, normal = { 1, 0, 0 } },
  },
  path    = { from = 0, to = 1, steps = 1 },
  method  = "director",
  options = { n = 128, degree = 4 },
}
