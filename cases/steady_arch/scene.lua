-- A circular arc between two pins comes to rest as Euler's elastica (Montgomery-Smith & Huang, section 8).
local L = 6 * math.pi

return {
  title   = "steady arch",
  rod     = { length = L, stiffness = { bend = 1 }, inertia = { mass = 1 }, damping = { bend = 10 } },
  initial = {
    shape = curve(function(s)
      local a = (s - 3 * math.pi) / 4
      return 4 * math.sin(a), 4 * math.cos(a) + 2 * math.sqrt(2), 0
    end),
  },
  ends    = { start = pinned {}, finish = pinned {} }, -- (-2 sqrt 2, 0, 0) and (2 sqrt 2, 0, 0)
  time    = { stop = 100, output = 5 },
  probes  = { apex = { at = L / 2, what = "position" } },
  method  = "elastica",
  options = { n = 50, dt = 5 },
}
