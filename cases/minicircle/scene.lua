-- A DNA minicircle of 336 base pairs with two turns too few, which writhes out of its plane in water.
-- plot: --shapes --view3d --count 4
-- plot writhe: --what writhe
-- Units: nm, microseconds and kT = 4.11e-21 J, so that a force of 1 is 4.11 pN.
local p = params {
  excess = { -2, -4, 4, "turns", "excess link" },
  n      = { 32, 16, 200, "", "elements" },
}
local length, r = 336 * 0.332, 1.0
local eta = 2.16e-4 -- viscosity of water, 0.89 mPa s
local slender = math.log(length / (2 * r))
return {
  title   = "DNA minicircle",
  rod     = { length = length, radius = r, closed = true, excess = p.excess, rest = straight {},
              stiffness = { bend = 50, twist = 95, stretch = 250, shear = 250 },
              inertia = { mass = 1.3e-9, rotary = 3e-10 },
              viscous = { normal = 4 * math.pi * eta / (slender + 0.5), tangential = 2 * math.pi * eta / (slender - 0.5), spin = 4 * math.pi * eta * r ^ 2 } },
  initial = { shape = arc { radius = length / (2 * math.pi) },
              velocity = function(s) return 1e3 * math.sin(4 * math.pi * s / length), 0, 0 end },
  contact = { stiffness = 1e3 },
  time    = { stop = 1.4, output = 0.02 },
  probes  = { writhe = { what = "writhe" }, link_twist = { what = "link_twist" } },
  method  = "director",
  options = { n = p.n, dt = 2e-4 },
}
