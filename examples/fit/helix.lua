-- A coil of plastic wire hangs by its upper end; places along it are measured.
local p = params {
  young = { 1.5e8, 1e7, 1e9, "Pa", "Young's modulus: EI" },
  shear = { 6e7, 1e6, 1e9, "Pa", "shear modulus: GJ" },
  bend  = { 22, 10, 40, "1/m", "natural curvature" },
}
return {
  title   = "hanging helix",
  rod     = { length = 0.6, section = circle { diameter = 0.003 },
              material = { young = p.young, shear = p.shear, density = 1500 },
              rest = strain { strain = { 0, p.bend, 4 }, along = { 1, 0, 0 }, normal = { 0, 0, 1 } } },
  ends    = { start = clamped {}, finish = free {} },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 1, output = 0.5 },
  method  = "director",
  options = { n = 24, degree = 2 },
}
