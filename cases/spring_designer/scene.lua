-- A helical spring given by wire, coil diameter and turns is pressed by a tenth of its height.
-- solve: static
-- plot: --shapes --plane 3d
local p = params {
  wire     = { 2e-3, 0.5e-3, 5e-3, "m", "diameter of the wire" },
  diameter = { 20e-3, 5e-3, 60e-3, "m", "mean diameter of the coil" },
  coils    = { 8, 2, 40, "-", "turns" },
  pitch    = { 5e-3, 1e-3, 30e-3, "m", "rise per turn" },
  press    = { 0.1, -0.5, 0.5, "-", "how far it is pressed, of its height" },
}
local R, height = p.diameter / 2, p.coils * p.pitch
local length = p.coils * math.sqrt((2 * math.pi * R) ^ 2 + p.pitch ^ 2)
local function coil(s)
  local u = 2 * math.pi * p.coils * s / length
  return R * math.cos(u), R * math.sin(u), height * s / length
end

return {
  title   = "spring designer",
  rod     = { length = length, section = circle { diameter = p.wire },
              material = { young = 2.06e11, shear = 7.9e10, density = 7850 },
              rest = curve(coil) },
  ends    = { start = clamped {},
              finish = clamped { position = function(t)
                local x, y, z = coil(length)
                return x, y, z - p.press * height * t
              end } },
  path    = { from = 0, to = 1, steps = 1 },
  method  = "director",
  options = { n = 60, degree = 3 },
}
