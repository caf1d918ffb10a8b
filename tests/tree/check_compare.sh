#!/bin/sh
# withy compare: eight scenes under every method that accepts them agree within error bars that are small,
# and a wrong stiffness in one method is detected.  docs/agreement.md shows the same at higher accuracy.
set -u
withy=$2/withy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() { cat out; echo "$*"; exit 1; }

# agrees METHODS SCENE ARGUMENTS...: all of METHODS solve it, agree, and have bars below `limit` of the distance travelled
# (1 % is requested; five refinements may leave a bar a little above it)
agrees() {
    methods=$1
    shift
    $withy compare "$@" --accuracy "$accuracy" --json > out 2>&1 || fail "compare $*: the methods do not agree"
    METHODS=$methods LIMIT=$limit python3 - << 'EOF' || fail "compare $*: see above"
import json, os
out = json.load(open("out"))
want = set(os.environ["METHODS"].split(","))
assert set(out["methods"]) == want, (sorted(out["methods"]), out["refused"])
assert out["agree"] and all(m["known"] for m in out["methods"].values())
pairs = {(p["a"], p["b"]) for p in out["pairs"]}
assert len(pairs) == len(want) * (len(want) - 1) // 2
way = out["way"]
for name, m in out["methods"].items():
    for point in ("finish", "middle"):
        assert m[point]["error"] < float(os.environ["LIMIT"]) * way, (name, point, m[point]["error"], way)
EOF
}

accuracy=1e-2 limit=0.03
all=director,elastica,se3,kirchhoff,fdtd,cheb
# kirchhoff in the plane is elastica to rounding here, at several times its cost.  The start is not smooth, so that
# orders are low: director refines to 192 intervals after 0.1 s; of elastica, whose levels do not converge before, the
# fifth does not continue as the others do, and the bar of the fourth is 4.6 %
agrees director,se3,fdtd,cheb release --set time.stop=0.1 --for cheb:options.ends=G --methods director,se3,fdtd,cheb
accuracy=3e-2 limit=0.05
agrees elastica,se3,fdtd,cheb release --set time.stop=0.2 --for cheb:options.ends=G --methods elastica,se3,fdtd,cheb
accuracy=1e-2 limit=0.03
agrees $all heavy_cantilever
agrees $all flexible_pendulum
agrees director,se3,kirchhoff,fdtd,cheb hanging_spring --set time.stop=0.1 --for cheb:options.ends=G --for cheb:options.n=32
agrees director,se3,kirchhoff,fdtd hanging_spring --static --methods director,se3,kirchhoff,fdtd
agrees director,fdtd violin_a_string --for director:options.dt=4e-6 --set time.stop=0.002 --set time.output=0.0002
agrees director,cheb fibre --for cheb:options.n=32
# rods that meet: a welded frame, and a net of six cords held at three corners
agrees director,fdtd right_angle_frame --for 'fdtd:options={n=16}' --set time.stop=2
cat > net.lua << 'EOF'
local k, side = 3, 1
local rods, joints = {}, {}
local mesh = side / (k - 1)
local function cord(name, from, along)
  rods[#rods + 1] = { name = name, length = side, section = circle { diameter = 0.02 },
                      material = { young = 1e6, poisson = 0.5, density = 1000 },
                      initial = { shape = straight { from = from, along = along, normal = { 0, 0, 1 } } } }
end
for i = 1, k do
  cord("x" .. i, { 0, (i - 1) * mesh, 0 }, { 1, 0, 0 })
  cord("y" .. i, { (i - 1) * mesh, 0, 0 }, { 0, 1, 0 })
end
for i = 1, k do
  for j = 1, k do
    joints[#joints + 1] = weld { parts = { "x" .. j, "y" .. i }, at = { (i - 1) * mesh, (j - 1) * mesh } }
  end
end
joints[#joints + 1] = ball { parts = { "ground", "x1" }, at = { { 0, 0, 0 }, 0 } }
joints[#joints + 1] = ball { parts = { "ground", "x1" }, at = { { 1, 0, 0 }, 1 } }
joints[#joints + 1] = ball { parts = { "ground", "x3" }, at = { { 1, 1, 0 }, 1 } }
return { rods = rods, joints = joints, gravity = { 0, 0, -9.81 }, time = { stop = 0.3, output = 0.03 },
  method = "director", options = { n = 8, dt = 0.005 } }
EOF
agrees director,fdtd net.lua --for fdtd:options.n=16 --for 'fdtd:options.dt="auto"'

# 5 % more stiffness in one of them: a motion, an equilibrium, a method without stretch
found() {
    $withy compare "$@" --accuracy 1e-2 > out 2>&1 && fail "compare $*: 5 % more stiffness was not detected"
    grep -q "^FAIL.*differ by .*beyond their error bars" out || fail "compare $*: no pair is named"
}
found heavy_cantilever --methods director,se3,cheb --for se3:rod.material.young=1.05e6
found fibre --for cheb:options.n=32 --for director:rod.stiffness.bend=5.608e-3
found heavy_cantilever --methods director,elastica --for elastica:rod.material.young=1.05e6

# a picture, and an unknown error is not reported as agreement
$withy compare heavy_cantilever --methods director,cheb --accuracy 1e-2 -o error.svg > out 2>&1 || fail "no agreement"
[ -s error.svg ] || fail "no picture"
# a step as long as the output interval has no coarser level, and one refinement gives no error bar
$withy compare heavy_cantilever --methods director,se3 --refine 1 --set options.dt=0.0125 > out 2>&1 && fail "two levels give no error bar"
grep -q "an error bar is not known" out || fail "compare does not say that the error is not known"
$withy compare violin_a_string --methods fdtd,cheb --set time.stop=5e-4 --set time.output=5e-5 > out 2>&1
[ $? = 1 ] && grep -q "only fdtd solved .*nothing was compared" out || fail "with only one method left, compare does not fail"
$withy compare snap_arch --static > out 2>&1
[ $? = 2 ] && grep -q "path.arc_length" out || fail "a path by arc length must be refused"
for bad in "--refine 9" "--refine x" "--accuracy 0" "--budget 0"; do
    $withy compare heavy_cantilever $bad > out 2>&1
    [ $? = 2 ] && grep -q "must be a number from" out || fail "compare $bad must be refused"
done
# the examples of its own help agree within a minute of processor time
$withy help compare | sed -n 's/^  withy \(compare .*\)/\1/p' >examples
[ "$(wc -l <examples)" = 2 ] || fail "withy help compare has no two examples"
while read -r line; do
    (ulimit -t 60; $withy $line) >out 2>&1 </dev/null || fail "withy $line"
done <examples
