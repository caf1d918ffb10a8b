-- Where a tendon robot can reach: its equilibria under all tensions of three tendons.
-- solve: static
-- with: --set path.from=0 --set path.to=1 --set path.steps=8
-- plot: --shapes --plane 3d
-- sweep reach: --static --over params.a=0..4 --over params.b=0..4 --over params.c=0..4 --sample sobol:2048 --want finish.x --want finish.z
-- plot reach: --what finish.z --against finish.x
-- sweep tensions: --static --over params.a=0..4 --over params.b=0..4 --over params.c=0..4 --sample sobol:128 --want finish.x --want finish.y --want finish.z
-- plot tensions: --parallel
local p = params {
  a = { 3, 0, 8, "N", "tension of the tendon at 0 degrees" },
  b = { 1, 0, 8, "N", "tension of the tendon at 120 degrees" },
  c = { 0.2, 0, 8, "N", "tension of the tendon at 240 degrees" },
}
local L, arm = 0.2, 8e-3

local function tendon_at(degrees, tension)
  local a = math.rad(degrees)
  return tendon { route = { arm * math.cos(a), arm * math.sin(a) }, tension = tension }
end

return {
  title   = "workspace of a tendon robot",
  rod     = { length = L, section = circle { diameter = 1e-3 },
              material = { young = 60e9, shear = 23e9, density = 6450 },
              inertia = { mass = 0.05, rotary = 2e-6 } }, -- discs included
  gravity = { 0, 0, -9.81 },
  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },
  ends    = { start = clamped {}, finish = free { mass = 2e-3 } }, -- a gripper at the tip
  loads   = { tendon_at(0, p.a), tendon_at(120, p.b), tendon_at(240, p.c) },
  method  = "se3",
  options = { n = 40 },
}
