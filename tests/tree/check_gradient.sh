#!/bin/sh
# withy gradient: derivatives against laws of scaling and against a closed form, and messages.
. "$1/tests/tree/workshop.sh"
cat >beam.lua <<'LUA'
local p = params { young = 2e11, length = 1, diameter = 0.02, force = 1e-3 }
return { rod = { length = p.length, section = circle { diameter = p.diameter }, material = { young = p.young, poisson = 0.3, density = 7800 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = free { force = { 0, 0, p.force } } },
  method = "director", options = { n = 8, degree = 4 } }
LUA
expect 0 "$withy" gradient beam.lua --of frequency.1 --json; cp out frequency.json
expect 0 "$withy" gradient beam.lua --of finish.z --by params.force --by "params.l*" --json; cp out bend.json
expect 0 "$withy" gradient beam.lua --of "mass^2" --by params.diameter --json; cp out mass.json
python3 - <<'PY' || fail "a derivative is wrong"
import json, math
read = lambda name: json.load(open(name))
by = lambda d: {p["name"][7:]: p for p in d["by"]}
f = by(read("frequency.json"))
# the frequency goes with the root of E, and, sizes being all lengths, with one over their scale
assert abs(f["young"]["elasticity"] - 0.5) < 1e-6, f["young"]
assert abs(f["length"]["elasticity"] + f["diameter"]["elasticity"] + 1) < 1e-5, f
assert abs(f["length"]["elasticity"] + 2) < 0.02 and f["force"]["elasticity"] < 1e-6
# P L^3/3EI + P L/GA of a small load
d = read("bend.json")
p = by(d)
area, second = math.pi * 1e-4, math.pi * 1e-8 / 4
bend, shear = 1e-3 / (3 * 2e11 * second), d["value"] - 1e-3 / (3 * 2e11 * second)
assert 0 < shear < 1e-3 * bend, (bend, shear)
assert abs(p["force"]["derivative"] - d["value"] / 1e-3) < 1e-6 * d["value"] / 1e-3
assert abs(p["length"]["derivative"] - (3 * bend + shear)) < 1e-6 * bend, (p["length"], 3 * bend + shear)
assert abs(by(read("mass.json"))["diameter"]["elasticity"] - 4) < 1e-9
PY
expect 0 "$withy" gradient spring_designer --of force.start.z
expect 0 "$withy" gradient falling_rod --set time.stop=1 --run --of "tip.z:min" --by gravity.3=@-9.81
expect 0 "$withy" gradient cantilever_dead_load --of finish.x --by rod.length=@1
expect 2 "$withy" gradient cantilever_dead_load --of finish.x; says "no params { ... }"
expect 2 "$withy" gradient beam.lua; says "needs --of EXPRESSION"
expect 2 "$withy" gradient beam.lua --of nonsense; says "--of: nonsense: there is no such number"
expect 2 "$withy" gradient beam.lua --of mass --by params.yuong; says "did you mean \"young\""
expect 2 "$withy" gradient beam.lua --of mass --by params.young --by "params.*"; says "is given twice"
expect 2 "$withy" gradient beam.lua --of mass --by params.young=@nan; says "after @ comes a finite number"
expect 2 "$withy" gradient beam.lua --of mass --by params.young=nan..3; says "its range is empty"
expect 2 "$withy" gradient beam.lua --of mass --by params.young=2e11..1e11; says "its range is empty"
expect 1 "$withy" gradient beam.lua --of "1/0"; says "--of 1/0 is not finite"
[ $failures = 0 ]
