-- A half turn whose upper end goes down and turns about two axes at once, in space
-- ([CH] 5.4, figures 5-20 to 5-26).
-- with: --set time.stations=101
-- plot: --shapes --plane 3d --count 9
-- plot energy: --energy
-- plot spin: --probes
-- plot profiles: --profile force.material --profile moment.material --from 2
local E, G, A, J, I, rho = 12, 4, 1, 0.2, 0.1, 1
local pi = math.pi

-- quadF of [CH]: two parabolas from a to b in time 1, and its rate
local function quad(a, b, t)
  if t > 1 then return b elseif t > 0.5 then return 2 * a - b + 4 * (b - a) * t + 2 * (a - b) * t * t end
  return a + 2 * (b - a) * t * t
end
local function rate(a, b, t)
  if t > 1 then return 0 elseif t > 0.5 then return 4 * (b - a) * (1 - t) end
  return 4 * (b - a) * t
end

return {
  title   = "half turn, twisted",
  rod     = {
    length    = 2,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * J },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * J } },
  },
  initial = { shape = arc { radius = 2 / pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = {
    start  = clamped {},
    finish = clamped {
      velocity = function(t) return 0, rate(4 / pi, 2 / pi, t), 0 end,
      spin     = function(t)
        local a, w = quad(0, pi / 2, t), rate(0, pi / 2, t)
        return w * math.cos(a), w, -w * math.sin(a)
      end,
    },
  },
  time    = { stop = 2, output = 0.05 },
  probes  = { ["end"] = { at = 2, what = "spin" } },
  method  = "cheb",
  options = { n = 16, ends = "B", dt = 0.01, integrator = "rk4" },
}
