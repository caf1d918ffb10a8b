-- A cantilever in its first bending mode; `withy modes` gives all (PyElastica, DynamicCantileverCase).
-- plot: --plane xz
local L, radius, E, density = 1, 0.02, 1e5, 2000
local beta = 1.875104068711961 -- first root of cos b cosh b = -1
local v_end = 0.005

-- velocity of the first mode of Euler and Bernoulli, and its slope
local function ch(x) return (math.exp(x) + math.exp(-x)) / 2 end
local function sh(x) return (math.exp(x) - math.exp(-x)) / 2 end
local c = (math.cos(beta) + ch(beta)) / (math.sin(beta) + sh(beta))
local function shape(x)
  local b = beta * x
  return math.cos(b) - ch(b) - c * (math.sin(b) - sh(b))
end
local function slope(x)
  local b = beta * x
  return beta * (-math.sin(b) - sh(b) - c * (math.cos(b) - ch(b)))
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
    -- the sections turn with the axis; without this they would start at rest and shear
    spin     = function(s) return 0, -v_end * slope(s / L) / L / shape(1), 0 end,
  },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 25, output = 0.25 },
  probes  = { tip = { at = L, what = "position" } },
  method  = "director",
  options = { n = 16, degree = 4, dt = 0.05 },
}
