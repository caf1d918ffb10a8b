-- A wire of nitinol and one of steel are bent by a force at the tip and let go: one goes back to straight, one does not.
-- solve: static
-- plot: --shapes --every 10
local length, wire = 60e-3, 0.4e-3
local function bent(name, y, force, young, law)
  return {
    name = name, length = length, section = circle { diameter = wire },
    material = { young = young, poisson = 0.3, density = 7000 }, law = law,
    initial = { shape = straight { from = { 0, y, 0 }, along = { 1, 0, 0 } } },
    ends = { start = clamped {}, finish = free { force = { 0, force, 0 } } },
  }
end

return {
  title   = "guide wire",
  rods    = {
    bent("nitinol", 0, 0.12, 50e9, superelastic { forward = 400e6, reverse = 150e6, slope = 1e9, strain = 0.06 }),
    bent("steel", -0.06, 0.55, 200e9, plastic { yield = 1.5e9, hardening = 1e9 }),
  },
  path    = { through = { 0, 1, 0 }, steps = 20 },
  method  = "director",
  options = { n = 16, degree = 3 },
}
