-- A cantilever in its first bending mode; `withy modes` gives all (PyElastica, DynamicCantileverCase).
-- plot: --plane xz
local L, radius, E, density = 1, 0.02, 1e5, 2000
local beta = 1.875104068711961 -- first root of cos b cosh b = -1
local v_end = 0.005

-- velocity of the first mode of Euler and Bernoulli, v_end at the tip
local function shape(x)
  local c = (math.cos(beta) + (math.exp(beta) + math.exp(-beta)) / 2)
          / (math.sin(beta) + (math.exp(beta) - math.exp(-beta)) / 2)
  local b = beta * x
  local ch, sh = (math.exp(b) + math.exp(-b)) / 2, (math.exp(b) - math.exp(-b)) / 2
  return math.cos(b) - ch - c * (math.sin(b) - sh)
end

return {
  title   = "cantilever frequencies",
  rod     = {
    length = L, section = circle { diameter = 2 * radius, shear_factor = 27 / 28 },
    material = { young = E, poisson = 0.5, density = density },
  },
  initial = {
    shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } },
    velocity = function(s) return 0, 0, v_end * shape(s / L) / shape(1) end,
  },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 25, output = 0.25 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 16, degree = 4, dt = 0.05 },
}
