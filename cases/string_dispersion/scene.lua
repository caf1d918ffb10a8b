-- A pulse runs to the right along a string without and with bending stiffness: numerical dispersion beside
-- that of the material ([FD] figures 4.10 and 4.11).
-- with: --set time.stations=329
local L, T, E, d, rho = 0.328, 65, 2.0e11, 0.3575e-3, 7800
local A = math.pi / 4 * d ^ 2
local speed = math.sqrt(T * (1 + T / (E * A)) / (rho * A)) -- of the flexible string
local height, width, at = 1e-6, 6e-3, 0.2 * L

local function pulse(s) return height * math.exp(-((s - at) / width) ^ 2) end
local function slope(s) return -2 * (s - at) / width ^ 2 * pulse(s) end

local function string(name, bend)
  return {
    name     = name, length = L, tension = T, stiffness = { bend = bend },
    section  = circle { diameter = d }, material = { young = E, poisson = 0.3, density = rho },
    initial  = { shape = curve { position = function(s) return pulse(s), 0, s end, normal = { 1, 0, 0 } },
                 velocity = function(s) return -speed * slope(s), 0, 0 end },
    ends     = { start = pinned {}, finish = pinned {} },
  }
end

return {
  title   = "dispersion of a pulse",
  rods    = { string("flexible", 1e-16), string("stiff") },
  time    = { stop = 6e-4, output = 1e-4 },
  method  = "fdtd",
  options = { n = 128, order = 6 },
}
