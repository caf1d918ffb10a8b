-- A round shaft turned by two radians at one end (Newton, cable_torsion_material_mapping).
-- solve: static
-- plot: --profile moment
local angle = 2 -- at factor 1

return {
  title   = "uniform twist",
  rod     = {
    length = 1, section = circle { diameter = 0.02 },
    material = { young = 1e7, poisson = 0.3, density = 1000 },
  },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = {
    start  = clamped {},
    finish = guided { tangent = { 1, 0, 0 },
                      normal = function(t) return 0, math.cos(angle * t), math.sin(angle * t) end },
  },
  path    = { from = 0, to = 1, steps = 4 },
  method  = "director",
  options = { n = 8, degree = 4 },
}
