-- The equilibrium of the twisted half turn ([CH] 5.4, figures 5-25 and 5-26).
-- solve: static
-- with: --set time.stations=101
-- plot: --shapes --plane 3d
-- plot top: --shapes --plane xz
-- plot thick: --shapes --plane 3d --frames 4 --thick 0.04
local E, G, A, J, I, rho = 12, 4, 1, 0.2, 0.1, 1
local pi = math.pi

local function times(a, b) -- product of quaternions
  return { a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4],
           a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
           a[1] * b[3] - a[2] * b[4] + a[3] * b[1] + a[4] * b[2],
           a[1] * b[4] + a[2] * b[3] - a[3] * b[2] + a[4] * b[1] }
end

-- the upper end: by +90 degrees about the y axis of space and by -90 degrees about its own tangent
local function frame(t)
  local c, s = math.cos(pi / 4 * t), math.sin(pi / 4 * t)
  local q = times(times({ c, 0, s, 0 }, { 0, 0, 0, 1 }), { c, -s, 0, 0 }) -- axes of [CH]: x along the rod
  q = times(q, { 0.5, 0.5, 0.5, 0.5 })                                    -- ours: d3 along the rod
  return q[1], q[2], q[3], q[4]
end

return {
  title   = "half turn, twisted, equilibrium",
  rod     = {
    length    = 2,
    stiffness = { stretch = E * A, shear = G * A, bend = E * I, twist = G * J },
    inertia   = { mass = rho * A, rotary = { rho * I, rho * I, rho * J } },
  },
  initial = { shape = arc { radius = 2 / pi, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = {
    start  = clamped {},
    finish = clamped { position = function(t) return 0, 4 / pi - 2 / pi * t, 0 end, frame = frame },
  },
  path    = { from = 0, to = 1, steps = 4 },
  method  = "cheb",
  options = { n = 32, ends = "B" },
}
