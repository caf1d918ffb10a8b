-- The fibre of cases/fibre free of stress: an arc of radius 0.25 m ([CH] figure 5-7).
return {
  title   = "a fibre, free of stress",
  rod     = { length = 0.4, stiffness = { stretch = 10271, shear = 3950, bend = 5.341e-3, twist = 4.109e-3 },
              inertia = { mass = 2.2117e-2, rotary = 1.15e-8 },
              rest = arc { radius = 0.25, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends    = { start = clamped {} },
  path    = { from = 0, to = 1, steps = 1 },
  time    = { stations = 101 },
  method  = "cheb",
}
