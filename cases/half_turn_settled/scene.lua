-- The half turn of [CH] 5.1.1, then 0.4 s with heavy damping: the way to an equilibrium that [CH] 5.1.2 takes.
-- with: --set time.stations=101
-- plot: --shapes --from 2 --count 6
local E, G, A, I, rho = 12, 4, 1, 0.2, 1
local function accel(t) -- down for one second, up for one second, then no more
  if t > 2 + 1e-9 then return 0, 0, 0 elseif t > 1 + 1e-9 then return 0, 1, 0 else return 0, -1, 0 end
end
-- k1 = k2 = 4 from t = 2 on: the equations are made anew there in [CH]
local function slow(s, t, state)
  if t <= 2 then return 0, 0, 0 end
  local v = state.velocity
  return -4 * v[1], -4 * v[2], 0
end
local function calm(s, t, state)
  if t <= 2 then return 0, 0, 0 end
  return 0, 0, -4 * state.spin[3]
end
return {
  title   = "half turn, settled",
  rod     = {
    length    = 2,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * 2 * I },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * 2 * I } },
  },
  initial = { shape = arc { radius = 2 / math.pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped { acceleration = accel } },
  loads   = { distributed { force = slow, moment = calm } },
  time    = { stop = 2.4, output = 0.08 },
  probes  = { middle = { at = 1, what = "position" } },
  method  = "cheb",
  options = { n = 8, ends = "B", dt = 0.002, integrator = "euler", space = "planar" },
}
