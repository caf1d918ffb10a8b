-- Gain per step of a longitudinal wave against the mesh ratio p = k/h, for beta = 3140 m/s
-- ([FD] figures 3.3 to 3.5): 27 rods of different lengths in the source's scheme, beyond its limit too.
local beta, k, n, wave = 3140, 1e-6, 26, 16 -- the wave that the scheme turns fastest has 16 half waves on 26 intervals

local rods, probes = {}, {}
for i = 1, 27 do
  local p = 1.6e-5 * i
  local L = n * k / p
  rods[i] = {
    name      = "p" .. i, length = L,
    stiffness = { stretch = beta ^ 2, shear = 1, bend = 1, twist = 1 },
    inertia   = { mass = 1, rotary = 1 },
    initial   = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } },
                  velocity = function(s) return 0, 0, 1e-3 * math.sin(wave * math.pi * s / L) end },
    ends      = { start = pinned {}, finish = pinned {} },
  }
  probes[string.format("p%02d", i)] = { rod = i, at = 3 * L / n, what = "position", every = k }
end

return {
  title   = "gain of the source's scheme",
  rods    = rods,
  time    = { stop = 12 * k, output = 6 * k },
  probes  = probes,
  method  = "fdtd",
  options = { n = n, dt = k, scheme = "literal", order = 6, safe = false },
}
