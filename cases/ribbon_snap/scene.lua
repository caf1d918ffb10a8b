-- A thin strip stands as an arch between two clamps, one of which is turned about their line until the arch snaps.
-- solve: static
-- with: --set time.stations=121
-- plot: --shapes --plane 3d --every 4
-- plot moment: --profile moment.material --every 8
local L, share = 0.2, 0.9                      -- length, and distance of the clamps over it
local half = 0.7866                            -- half the angle of an arc with this chord: sin(half)/half = share
local R = L / 2 / half
local function arc(s)
  local a = s / R - half
  return R * (math.sin(a) + math.sin(half)), 0, R * (math.cos(a) - math.cos(half))
end

return {
  title   = "ribbon snap",
  rod     = { length = L, section = rectangle { width = 10e-3, height = 0.2e-3 },
              material = { young = 4.8e9, poisson = 0.3, density = 1400 }, law = ribbon {} },
  initial = { shape = curve { position = arc, normal = { 0, 1, 0 } } },
  ends    = { start = clamped { position = { 0, 0, 0 }, tangent = { 1, 0, 0 }, normal = { 0, 1, 0 } },
              finish = clamped { position = { share * L, 0, 0 }, tangent = { 1, 0, 0 },
                                 normal = function(t) return 0, math.cos(t), math.sin(t) end } },
  path    = { from = 0, to = 0.6, steps = 12, arc_length = true },
  method  = "director",
  options = { n = 12, degree = 4 },
}
