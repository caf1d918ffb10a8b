-- A free rod, thrown and spun by a pulse at its lower end (Simo & Vu-Quoc; PyElastica, TumblingUnconstrainedRod).
-- plot: --view3d
local function pulse(t) return t < 2.5 and t / 2.5 or t < 5 and 2 - t / 2.5 or 0 end

return {
  title   = "tumbling rod",
  rod     = {
    length = 10,
    stiffness = { bend = 500, twist = 500, stretch = 1e4, shear = 1e4 },
    inertia = { mass = 1, rotary = { 10, 10, 10 } },
  },
  initial = { shape = straight { from = { 0, 0, 8 }, along = { 0.6, 0, -0.8 }, normal = { 0, 1, 0 } } },
  ends    = {
    start  = free {},
    finish = free { force = function(t) return 20 * pulse(t), 0, 0 end,
                    moment = function(t) return 0, 200 * pulse(t), -100 * pulse(t) end },
  },
  time    = { stop = 7, output = 0.5 },
  probes  = { tip = { at = 10, what = "position" } },
  method  = "director",
  options = { n = 8, dt = 0.02, order = 4 },
}
