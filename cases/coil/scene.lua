-- A heavily damped coil unravels between two pins (Montgomery-Smith & Huang, figure 1).
-- plot: --frames 1,3,5,7,9,11,13,15,17 --frames-grid 9 --plane 3d
-- with orders: --set rod.length=6.283185307179586 --set probes=nil --set time.output=2 --set options.n=10 --set options.dt=2
-- with orders: --set rod.length=6.283185307179586 --set probes=nil --set time.output=2 --set options.n=20 --set options.dt=1
-- with orders: --set rod.length=6.283185307179586 --set probes=nil --set time.output=2 --set options.n=40 --set options.dt=0.5
-- with orders: --set rod.length=6.283185307179586 --set probes=nil --set time.output=2 --set options.n=80 --set options.dt=0.25
-- plot orders: --errors
local theta = 1.8
local L = 6 * math.pi

return {
  title   = "coil",
  rod     = { length = L, stiffness = { bend = 1 }, inertia = { mass = 1 }, damping = { bend = 10 } },
  initial = {
    shape = curve(function(s)
      local a = math.sin(theta) * s
      return -math.sin(a), -math.cos(a), -math.cos(theta) * s
    end),
  },
  ends    = { start = pinned {}, finish = pinned {} }, -- where the coil begins and ends
  time    = { stop = 100, output = 5 },
  probes  = { middle = { at = L / 2, what = "position" } },
  method  = "elastica",
  options = { n = 140, dt = 0.5 },
}
