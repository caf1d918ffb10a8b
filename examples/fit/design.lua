-- A rod is to be made such that it hangs as a quarter circle: its natural curvature, in twenty pieces, is looked for.
local pieces, L = 20, 0.5
local list = {}
for i = 1, pieces do list["k" .. i] = { 0, -40, 40, "1/m" } end
local p = params(list)
return {
  title   = "a rest shape",
  rod     = { length = L, section = circle { diameter = 0.008 }, material = { young = 1.2e8, shear = 4e7, density = 1200 },
              rest = strain { along = { 1, 0, 0 }, normal = { 0, 0, 1 },
                              strain = function(s) return 0, p["k" .. math.min(pieces, 1 + s / L * pieces // 1 | 0)], 0 end } },
  ends    = { start = clamped {}, finish = free {} },
  gravity = { 0, 0, -9.81 },
  time    = { stop = 1, output = 0.5 },
  method  = "director",
  options = { n = 20, degree = 2 },
}
