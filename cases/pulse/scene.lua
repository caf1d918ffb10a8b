-- A bump on a stubby rod splits into two waves that run to the ends and return
-- ([CH] 5.2.2 and 5.2.3, figures 5-3 to 5-6).
-- plot: --shapes
-- plot frames: --frames-grid 12
-- plot energy: --energy
-- plot decay: --decay --frames 11
local E, G, A, I, rho = 12, 4, 1, 0.2, 1
local height = 0.2 -- the text of [CH] says 0.1, its code 0.2

-- x = s - 1, y = height (sech 4x - sech 4), theta = -height/2 sin(pi x): not an equilibrium, and
-- not unsheared, so the shape is given by its strains
local function strains(s)
  local x  = s - 1
  local e  = math.exp(4 * x)
  local sech, tanh = 2 / (e + 1 / e), (e - 1 / e) / (e + 1 / e)
  local dy = -4 * height * sech * tanh
  local theta, bend = -height / 2 * math.sin(math.pi * x), -height / 2 * math.pi * math.cos(math.pi * x)
  local c, d = math.cos(theta), math.sin(theta)
  return -d + c * dy, 0, c + d * dy - 1, 0, bend, 0 -- d1 is across the rod in the plane, d2 = z
end

return {
  title   = "waves on a rod",
  rod     = {
    length    = 2,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * 2 * I },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * 2 * I } },
  },
  initial = { shape = strain { strain = strains, from = { -1, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {}, finish = clamped {} },
  time    = { stop = 1.1, output = 0.1 },
  method  = "cheb",
  options = { n = 16, ends = "B", dt = 0.0025, integrator = "rk2" },
}
