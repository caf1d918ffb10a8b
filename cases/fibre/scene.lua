-- A plastic fibre between a fixed support and a moving platform, resting on a floor
-- ([CH] 5.3, figures 5-7 to 5-19, tables 5.1 to 5.4).
--
-- The load factor t counts the stations of the path: 0 is the arc that closes half a turn, which is
-- an exact equilibrium whatever the rest curvature; 1 is the platform at x = 0; 2 .. 6 push it to
-- x = -0.12, 7 brings it back to 0 and 8 .. 15 pull it to x = 0.2.
-- solve: static
-- with: --set time.stations=161
-- plot: --shapes --every 1
-- plot moment: --profile moment
-- plot force: --profile force.material
local E, G, A, I, rho = 1.02169e9, 3.92958e8, 1.00531e-5, 5.22761e-12, 2200
local L, pi = 0.4, math.pi
local height = 0.088
local station = { [0] = 0, 0, -0.025, -0.050, -0.075, -0.100, -0.120, 0,
                  0.025, 0.050, 0.075, 0.100, 0.125, 0.150, 0.175, 0.200 }

local function platform(t)
  if t <= 1 then return 0, 2 * L / pi + t * (height - 2 * L / pi), 0 end
  local k = math.min(math.floor(t), 14)
  return station[k] + (t - k) * (station[k + 1] - station[k]), height, 0
end

return {
  title   = "a fibre on a floor",
  rod     = {
    length    = L,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * 2 * I },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * 2 * I } },
    rest      = arc { radius = 0.25, along = { 1, 0, 0 }, normal = { 0, 1, 0 } },
  },
  initial = { shape = arc { radius = L / pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped { position = platform } },
  floor   = { point = { 0, 0, 0 }, normal = { 0, 1, 0 }, stiffness = 1e4, axis = true },
  path    = { from = 0, to = 15, steps = 15 },
  method  = "cheb",
  options = { n = 64, ends = "B" },
}
