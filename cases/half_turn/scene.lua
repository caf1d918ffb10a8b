-- A stubby rod bent through half a turn; its upper end is driven down and stopped
-- ([CH] 5.1.1, figure 5-1; its equilibrium is 5.1.2, figure 5-2).
-- with: --set time.stations=101
-- plot: --shapes --count 6
local E, G, A, I, rho = 12, 4, 1, 0.2, 1

local function accel(t) -- down for one second, then up for one second
  if t > 2 + 1e-9 then return 0, 0, 0 elseif t > 1 + 1e-9 then return 0, 1, 0 else return 0, -1, 0 end
end

return {
  title   = "half turn, driven",
  rod     = {
    length    = 2,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * 2 * I },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * 2 * I } },
  },
  initial = { shape = arc { radius = 2 / math.pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped { acceleration = accel } },
  time    = { stop = 2, output = 0.08 },
  probes  = { middle = { at = 1, what = "position" } },
  method  = "cheb",
  options = { n = 8, ends = "B", dt = 0.002, integrator = "euler" },
}
