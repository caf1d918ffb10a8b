-- A helical spring is pressed until its wire yields, and let go: it stays shorter, and then is elastic.
-- solve: static
-- with: --set time.stations=241
-- plot: --shapes --plane 3d --every 12
-- plot force: --probes
local wire, R, pitch, coils = 2e-3, 10e-3, 6e-3, 8
local turn = 2 * math.pi * coils
local length, height = coils * math.sqrt((2 * math.pi * R) ^ 2 + pitch ^ 2), coils * pitch
local function coil(s)
  local u = turn * s / length
  return R * math.cos(u), R * math.sin(u), height * s / length
end

return {
  title   = "preset spring",
  rod     = { length = length, section = circle { diameter = wire },
              material = { young = 2.06e11, shear = 7.9e10, density = 7850 },
              law = plastic { yield = 700e6 },
              rest = curve(coil) },
  ends    = { start = clamped {},
              finish = clamped { position = function(t)        -- factor 1: pressed to 18 mm
                local x, y, z = coil(length)
                return x, y, z - 30e-3 * t
              end } },
  path    = { through = { 0, 1, 0, 1 }, steps = 12 },
  probes  = { force = { what = "reaction_finish" } },
  method  = "director",
  options = { n = 60, degree = 3 },
}
