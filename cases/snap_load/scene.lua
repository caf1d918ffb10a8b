-- A mass falls next to the point that holds its rope, until the rope is taut and throws it back.
-- plot: --shapes --plane xz --every 4 --probes
return {
  title   = "snap load",
  rod     = { length = 5, kind = "cable", stiffness = { stretch = 2e4 }, inertia = { mass = 0.05 }, damping = { time = 1e-3 } },
  gravity = { 0, 0, -9.81 },
  initial = { shape = catenary { from = { 0, 0, 0 }, to = { 0.5, 0, 0 } } },
  ends    = { start = pinned {}, finish = free { mass = 5 } },
  time    = { stop = 1.6, output = 0.02 },
  probes  = { top = { at = 0, what = "tension", every = 0.001 } },
  method  = "director",
  options = { n = 40, degree = 2, dt = 0.0002 },
}
