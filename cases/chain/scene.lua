-- A chain of 1000 links on ball joints, laid out straight and held at one end, is let go and falls.
-- plot: --shapes --every 3 --plane xz
local count, pitch, mass = 1000, 0.002, 1e-3
local bodies, joints = {}, {}
for i = 1, count do
  bodies[i] = { name = "link" .. i, mass = mass, inertia = { 1e-3 * mass * pitch ^ 2, mass * pitch ^ 2 / 12, mass * pitch ^ 2 / 12 },
                position = { (i - 0.5) * pitch, 0, 0 } }
  joints[i] = i == 1 and ball { parts = { "ground", "link1" }, at = { { 0, 0, 0 }, { -pitch / 2, 0, 0 } } }
           or ball { parts = { "link" .. i - 1, "link" .. i }, at = { { pitch / 2, 0, 0 }, { -pitch / 2, 0, 0 } } }
end
return {
  title   = "chain of 1000 links",
  bodies  = bodies,
  joints  = joints,
  gravity = { 0, 0, -9.81 },
  time    = { stop = 0.6, output = 0.05 },
  probes  = { tip = { body = "link" .. count } },
  method  = "director",
  options = { dt = 0.01 },
}
