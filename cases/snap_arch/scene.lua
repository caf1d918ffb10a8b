-- A shallow clamped arch, loaded at the crown, snaps through: the path turns back at a limit point.
-- solve: static
-- plot: --shapes --probes --plane xz
local half, R = 0.25, 1
return {
  title   = "snap-through of a shallow arch",
  rod     = { length = 2 * half * R, section = rectangle { width = 0.004, height = 0.04 },
              material = { young = 1e9, shear = 4e8, density = 1000 },
              rest = arc { from = { -R * math.sin(half), 0, 0 }, along = { math.cos(half), 0, math.sin(half) },
                           normal = { math.sin(half), 0, -math.cos(half) }, radius = R } },
  ends    = { start = clamped {}, finish = clamped {} },
  loads   = { point { at = half * R, force = { 0, 0, -20 } } },
  path    = { from = 0, to = 1, steps = 80, arc_length = true },
  probes  = { crown = { at = half * R, what = "position" } },
  method  = "director",
  options = { n = 12, degree = 3 },
}
