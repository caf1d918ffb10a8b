-- A steel spring, pulled to one and a half times its length and let go at the bottom: the release runs up
-- and down its coils as a surge wave.
local d, r, pitch, turns = 1e-3, 10e-3, 4e-3, 12 -- wire, mean radius, pitch [m]
local coil = math.sqrt((2 * math.pi * r) ^ 2 + pitch ^ 2)
local L = turns * coil

-- curvature and torsion of a helix of this pitch with the same wire and turns
local function bent(p)
  local a = math.sqrt(coil ^ 2 - p ^ 2) / (2 * math.pi)
  return (2 * math.pi) ^ 2 * a / coil ^ 2, 2 * math.pi * p / coil ^ 2, 2 * math.pi * a / coil
end
local _, torsion0 = bent(pitch)
local k, torsion, around = bent(1.5 * pitch) -- pulled, the sections turned towards the axis as before

-- plot: --shapes --probes --plane xz --frames 0,4,8,12,16,20
return {
  title   = "spring surge",
  rod     = {
    length = L, section = circle { diameter = d },
    material = { young = 2.06e11, shear = 7.85e10, density = 7850 },
    damping = { time = 2e-6 },
    rest = helix { radius = r, pitch = pitch, along = { 0, 0, -1 }, from = { r, 0, 0 }, normal = { 1, 0, 0 } },
  },
  initial = {
    shape = curvature {
      strain = function(s) return k * math.sin(torsion0 * s), -k * math.cos(torsion0 * s), torsion - torsion0 end,
      from = { r, 0, 0 }, along = { 0, -around, -1.5 * pitch / coil }, normal = { 1, 0, 0 },
    },
  },
  ends    = { start = clamped {}, finish = free {} },
  time    = { stop = 0.06, output = 1e-3 },
  probes  = { bottom = { at = L, what = "position" }, middle = { at = L / 2, what = "position" } },
  method  = "kirchhoff",
  options = { n = 384, dt = 2e-4 },
}
