-- Wind on an iced power line: the ice makes the lift fall with the angle of attack, so that the wind feeds
-- a vertical motion (Den Hartog) until the angle is so large that it no longer does.
-- plot: --probes
local L, wind, air, width = 100, 12, 1.25, 0.04 -- span [m], wind along y [m/s], air [kg/m^3], iced width [m]
local drag, slope, bend = 1.0, -3.0, 8.0        -- C_D, and C_L = slope angle + bend angle^3

-- The section sees the wind from its own motion: d1 against the wind, d2 up.
local function blow(s, t, state)
  local v, d1, d2 = state.velocity, state.frame[1], state.frame[2]
  local x, y, z = -v[1], wind - v[2], -v[3]
  local along, up = x * d1[1] + y * d1[2] + z * d1[3], x * d2[1] + y * d2[2] + z * d2[3]
  local angle, size = math.atan(up, along), 0.5 * air * width * math.sqrt(along * along + up * up)
  local lift = slope * angle + bend * angle * angle * angle
  local a, b = size * (drag * along - lift * up), size * (drag * up + lift * along)
  return a * d1[1] + b * d2[1], a * d1[2] + b * d2[2], a * d1[3] + b * d2[3]
end

return {
  title   = "galloping line",
  rod     = { length = L, tension = 40e3,
              stiffness = { bend = 1e3, twist = 1e5, stretch = 3e7, shear = 1e7 },
              inertia = { mass = 2, rotary = 1e-3 }, drag = { linear = 0.3 } },
  ends    = { start  = clamped { position = { 0, 0, 0 }, tangent = { 1, 0, 0 }, normal = { 0, 1, 0 } },
              finish = clamped { position = { L, 0, 0 }, tangent = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  initial = { velocity = function(s) return 0, 0, 0.1 * math.sin(math.pi * s / L) end },
  loads   = { distributed { force = blow } },
  time    = { stop = 80, output = 0.5 },
  probes  = { middle = { at = L / 2, what = "velocity" } },
  method  = "director",
  options = { n = 4, degree = 3, dt = 0.025 },
}
