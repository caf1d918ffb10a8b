-- A slanted rod sinks in water without drag: the water that it carries along turns it level, and past it, and it glides.
-- plot: --shapes --plane xz --count 15
local d, L = 0.05, 1                    -- diameter and length [m]
local A = math.pi * d * d / 4
local c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
return {
  title   = "sinking rod",
  rod     = { length = L, stiffness = { bend = 1e5, twist = 1e5, stretch = 1e7, shear = 1e7 },
              inertia = { mass = 1400 * A }, -- [kg/m]
              fluid = { diameter = d, added = { normal = 1, tangential = 0.05 } } },
  medium  = { density = 1000 },
  initial = { shape = straight { from = { -0.5 * L * c, 0, 0.5 * L * s }, along = { c, 0, -s } } },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 2, output = 0.05 },
  probes  = { middle = { at = L / 2, what = "position" } },
  method  = "director",
  options = { n = 4, dt = 0.01 },
}
