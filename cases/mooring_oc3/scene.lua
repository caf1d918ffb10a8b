-- A mooring of three lines, imported from an input file of MoorDyn, while the platform surges by 8 m.
-- plot: --shapes --plane xz --count 7 --to 25
-- plot tension: --probes
-- The rest is what `withy import moordyn examples/moordyn/oc3.txt` writes, with a motion, waves and a time.
local function fairlead(x, y)
  return function(t) return x + 8 * math.sin(0.1 * t) ^ 3, y, -70 end
end
return {
  title   = "mooring of OC3",
  rods = {
    { name = "line1", length = 902.2, kind = "cable", stiffness = { stretch = 384243000 },
      inertia = { mass = 77.7066 }, damping = { stretch = 6235836.93277 }, radius = 9e-05,
      fluid = { diameter = 0.09, drag = { normal = 1.6, tangential = 0.1 }, added = { normal = 1, tangential = 0 }, inertia = "acceleration" },
      ends = { start = pinned { position = { 853.87, 0, -320 } }, finish = pinned { position = fairlead(5.2, 0) } },
      initial = static { shape = catenary { from = { 853.87, 0, -320 }, to = { 5.2, 0, -70 }, bed = -320 } } },
    { name = "line2", length = 902.2, kind = "cable", stiffness = { stretch = 384243000 },
      inertia = { mass = 77.7066 }, damping = { stretch = 6235836.93277 }, radius = 9e-05,
      fluid = { diameter = 0.09, drag = { normal = 1.6, tangential = 0.1 }, added = { normal = 1, tangential = 0 }, inertia = "acceleration" },
      ends = { start = pinned { position = { -426.935, 739.47311, -320 } }, finish = pinned { position = fairlead(-2.6, 4.5033) } },
      initial = static { shape = catenary { from = { -426.935, 739.47311, -320 }, to = { -2.6, 4.5033, -70 }, bed = -320 } } },
    { name = "line3", length = 902.2, kind = "cable", stiffness = { stretch = 384243000 },
      inertia = { mass = 77.7066 }, damping = { stretch = 6235836.93277 }, radius = 9e-05,
      fluid = { diameter = 0.09, drag = { normal = 1.6, tangential = 0.1 }, added = { normal = 1, tangential = 0 }, inertia = "acceleration" },
      ends = { start = pinned { position = { -426.935, -739.47311, -320 } }, finish = pinned { position = fairlead(-2.6, -4.5033) } },
      initial = static { shape = catenary { from = { -426.935, -739.47311, -320 }, to = { -2.6, -4.5033, -70 }, bed = -320 } } },
  },
  obstacles = { plane { name = "bed", point = { 0, 0, -320.00009 }, stiffness = 270000 } },
  contact = { self = false, rods = false },
  probes = {
    ["FairTen1"] = { rod = "line1", at = 902.2, what = "tension" },
    ["FairTen2"] = { rod = "line2", at = 902.2, what = "tension" },
    ["FairTen3"] = { rod = "line3", at = 902.2, what = "tension" },
    ["AnchTen1"] = { rod = "line1", at = 0, what = "tension" },
    ["L1N10P"] = { rod = "line1", at = 451.1, what = "position" },
  },
  medium  = { density = 1025, surface = 0, depth = 320, waves = airy { height = 5, period = 11, direction = { 1, 0, 0 } }, ramp = 11, acceleration = "local" },
  gravity = { 0, 0, -9.80665 },
  time    = { stop = 63, output = 0.5 },
  method  = "director",
  options = { n = 20, dt = 0.1 },
}
