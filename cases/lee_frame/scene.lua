-- Lee's frame: two legs on hinges, loaded beside the corner, snap through; arc length follows all of the path.
-- solve: static
-- with: --set time.stations=41
-- plot: --shapes --probes --plane xy
local E, A, I = 720, 6, 2
local function leg(name, from, along)
  return { name = name, length = 120,
           stiffness = { stretch = E * A, shear = 5 / 6 * E / 2.6 * A, bend = { E * I, 1e3 * E * I }, twist = 1e3 * E * I },
           inertia = { mass = 1 },
           initial = { shape = straight { from = from, along = along, normal = { 0, 0, 1 } } } }
end
local column, beam = leg("column", { 0, 0, 0 }, { 0, 1, 0 }), leg("beam", { 0, 120, 0 }, { 1, 0, 0 })
beam.loads = { point { at = 24, force = { 0, -1, 0 } } }
return {
  title  = "Lee's frame",
  rods   = { column, beam },
  joints = {
    weld { name = "corner", parts = { "column", "beam" }, at = { 120, 0 } },
    hinge { parts = { "ground", "column" }, at = { { 0, 0, 0 }, 0 }, axis = { 0, 0, 1 } },
    hinge { parts = { "ground", "beam" }, at = { { 120, 120, 0 }, 120 }, axis = { 0, 0, 1 } },
  },
  path    = { from = 0, to = 2, steps = 120, arc_length = true },
  probes  = { load = { rod = "beam", at = 24 } },
  method  = "director",
  options = { n = 10, degree = 4 },
}
