#!/bin/sh
# withy fit as a person uses it: the examples find what their data were made with, a design meets its constraints, and
# what is not valid is a message with status 2.
set -eu
withy=$2/withy
examples=$1/examples/fit
"$withy" check falling_rod >/dev/null 2>&1 || { echo "skipped: built without Lua"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$examples"/*.lua "$examples"/*.csv .
"$withy" fit release.lua --data release.csv --free params.young=1e5..1e8 --free params.viscous --sigma 2e-4 --json \
    -o fitted.lua -o fit.csv >release.json 2>err || { grep -q "no cminpack" err && exit 0; cat err; exit 1; }
"$withy" fit helix.lua --data helix.csv --free params.young --free params.shear --free params.bend --sigma 5e-4 --json >helix.json
"$withy" fit creep.lua --data creep.csv --free params.share=0.05..0.9 --free params.time=1e-3..1:log --sigma 2e-5 --json >creep.json
"$withy" check fitted.lua | grep -q "params.young = 100" || { echo "the fitted scene has not the estimate"; exit 1; }
[ "$(wc -l <fit.csv)" = 61 ] || { echo "fit.csv has not a row for each of the data"; exit 1; }
python3 - <<'PY'
import json
def near(file, truth):
    for p in json.load(open(file))["parameters"]:
        t = truth[p["name"]]
        assert abs(p["value"] - t) < 4 * p["error"], f"{file}: {p['name']} = {p['value']} +- {p['error']}, made with {t}"
near("release.json", {"params.young": 1e6, "params.viscous": 2e-3})
near("helix.json", {"params.young": 1e8, "params.shear": 3.5e7, "params.bend": 25})
near("creep.json", {"params.share": 0.4, "params.time": 0.02})
PY
cat >beam.lua <<'LUA'
local p = params { d = { 6e-3, 2e-3, 20e-3 } }
return { rod = { length = 0.3, section = circle { diameter = p.d }, material = { young = 2e11, poisson = 0.3, density = 7850 },
                 rest = straight { along = { 1, 0, 0 } } },
         ends = { start = clamped {}, finish = free { force = { 0, 0, -2 } } },
         method = "director", options = { n = 4 }, time = { stop = 1, output = 0.5 } }
LUA
if "$withy" fit beam.lua --minimise mass --subject "finish.z >= -1e-3" --free params.d -o light.lua >out 2>err; then
    grep -q "^  finish.z  *-0.001 \|^  finish.z  *-0.00099999" out || { echo "the constraint is not met:"; cat out; exit 1; }
    "$withy" check light.lua >/dev/null
else
    grep -q "no NLopt" err || { cat err; exit 1; }
fi
refused() { # MESSAGE ARGUMENTS...
    message=$1
    shift
    code=0
    "$withy" fit "$@" >out 2>err || code=$?
    [ $code = 2 ] && grep -qF -e "$message" err || { echo "status $code for: $*"; cat err; exit 1; }
}
refused "fit needs --data FILE.csv, or --minimise EXPRESSION" beam.lua
refused "params.k: the scene has no such parameter" beam.lua --minimise params.k --free params.d
refused '--free params.yuong: release.lua has no parameter "yuong"; did you mean "young"?' release.lua --data release.csv --free params.yuong
refused '--free params.yuong=1..2: release.lua has no parameter "yuong"' release.lua --data release.csv --free params.yuong=1..2
refused '--free rod.lenght: unknown key "rod.lenght"; did you mean "rod.length"?' release.lua --data release.csv --free rod.lenght
refused '--free rod.lenght=1..2: unknown key "rod.lenght"' release.lua --data release.csv --free rod.lenght=1..2
refused "where does it start?" release.lua --data release.csv --free rod.length
refused "no parameter of the scene begins so" beam.lua --minimise mass --free 'params.k*=1..2'
refused "--subject and --run need --minimise EXPRESSION" release.lua --data release.csv --free params.young --subject "mass <= 1"
refused "--minimise writes the scene of the minimum" beam.lua --minimise mass --free params.d -o x.svg
refused "a design needs a range LOW..HIGH for every parameter" beam.lua --minimise mass --free rod.length=1..inf@2
refused "its range is empty" release.lua --data release.csv --free params.young=2e6..1e6
refused "nothing.csv" release.lua --data nothing.csv --free params.young
printf 't,tip.x\n0.1,0.1\n0.2,\n' >gap.csv
refused "gap.csv" release.lua --data gap.csv --free params.young
printf 'factor,finish.z\n1,-1e-3\n' >one.csv
"$withy" fit beam.lua --data one.csv --free params.d >out
grep -q "without an error" out && grep -q "as many numbers as parameters" out && ! grep -q "not determined" out ||
    { echo "one number determines one parameter, though not its error:"; cat out; exit 1; }
# a fit that is stopped says how to continue from its best point, and writes its scene
cat >long.lua <<'LUA'
local p = params { k = { 1, 0.5, 2 } }
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.3, rotary = 1e-5 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = 1, force = { 0, 0, p.k } } },
  time = { stop = 1e6, output = 1 }, method = "director", options = { n = 8, dt = 5e-3 } }
LUA
printf 't,finish.z\n500000,0.1\n1000000,0.2\n' >long.csv
"$withy" fit long.lua --data long.csv --free params.k -o best.lua >out 2>err &
pid=$!
sleep 1
kill -s TERM $pid
code=0
wait $pid || code=$?
[ $code = 130 ] || { echo "a fit that is stopped has status $code"; cat err; exit 1; }
grep -q "continues with it: --free params.k=0.5..2:linear@1" err && "$withy" check best.lua >/dev/null ||
    grep -q "^withy: stopped on request$" err || # on a machine so slow that it did not ask in time
    { echo "the best point is lost"; cat err; exit 1; }
# a search continues with --resume from the best point that it has kept, after a signal and after kill -9, to the end of one that was not stopped
release="release.lua --data release.csv --free params.young=1e5..1e8 --free params.viscous --sigma 2e-4"
"$withy" fit $release --json -o whole.fit >whole.json
for signal in TERM HUP KILL KILL; do
    rm -f search.fit
    resume=""
    for delay in 0.02 0.05 0.1 0.2 0.4; do
        "$withy" fit $release -o search.fit $resume >out 2>err &
        pid=$!
        sleep "$delay"
        kill -s $signal $pid 2>/dev/null || :
        wait $pid 2>/dev/null || :
        [ ! -e search.fit ] || resume="--resume search.fit"
    done
    "$withy" fit $release --json $resume >resumed.json 2>err || { echo "it does not continue:"; cat err; exit 1; }
    python3 - <<'PY' || exit 1
import json
whole, resumed = json.load(open("whole.json")), json.load(open("resumed.json"))
assert resumed["converged"], resumed
for a, b in zip(whole["parameters"], resumed["parameters"]):  # by what each says of itself: `away` standard errors from the optimum
    most = whole["away"] * a["error"] + resumed["away"] * b["error"] + 1e-9 * abs(a["value"])
    assert abs(a["value"] - b["value"]) <= most, f"{a['name']}: {b['value']} after a stop, else {a['value']}"
PY
done
[ -z "$(ls | grep part-)" ] || [ "$signal" = KILL ] || { echo "left behind:"; ls; exit 1; }
rm -f ./*.part-*
cp whole.fit kept.fit
refused 'it has "free params.young=100000..100000000:log' release.lua --data release.csv --free params.young=1e5..2e8 --free params.viscous --sigma 2e-4 --resume kept.fit
refused 'it has "sigma 0.0002"' release.lua --data release.csv --free params.young=1e5..1e8 --free params.viscous --resume kept.fit
refused 'it has "method director"' $release --method cheb --resume kept.fit
refused 'it has "scene, overrides and tables' $release --set options.n=3 --resume kept.fit
sed 's/^0\.1,/0.1001,/' release.csv >other.csv
cmp -s release.csv other.csv && sed '$d' release.csv >other.csv
refused 'it has "data ' release.lua --data other.csv --free params.young=1e5..1e8 --free params.viscous --sigma 2e-4 --resume kept.fit
refused "nothing.fit" $release --resume nothing.fit
refused "the search is kept in kept.fit" $release --resume kept.fit -o other.fit
sed 's/^params.young .*/params.young 1e300/' kept.fit >bad.fit
refused 'damaged at "params.young 1e300"' $release --resume bad.fit
sed 's/^done .*/done 99999999999/' kept.fit >bad.fit
refused 'damaged at "done 99999999999"' $release --resume bad.fit
cmp -s whole.fit kept.fit || { echo "a refusal has changed the file"; exit 1; }
mkdir -p closed
[ "$(id -u)" = 0 ] || { chmod a-w closed; refused "closed/x.fit" $release -o closed/x.fit; chmod u+w closed; }
# a changed table or mesh is another scene
printf 't,f\n0,0\n1,1\n' >load.csv
printf 'v 0 0 -1\nv 1 0 -1\nv 0 1 -1\nv 0 0 -2\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n' >plate.obj
cat >read.lua <<'LUA'
local m = table "load.csv"
local p = params { k = { 1, 0.5, 2 } }
return { rod = { length = 1, radius = 0.01, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.3, rotary = 1e-5 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = 1, force = { 0, 0, p.k * m[2][2] } } },
  contact = { stiffness = 1e4 }, obstacles = { mesh { file = "plate.obj" } }, time = { stop = 0.1, output = 0.1 }, method = "director", options = { n = 4, dt = 5e-3 } }
LUA
printf 't,finish.z\n0.05,0.001\n0.1,0.01\n' >read.csv
"$withy" fit read.lua --data read.csv --free params.k -o read.fit -q
"$withy" fit read.lua --data read.csv --free params.k --resume read.fit -q || { echo "the same scene is refused"; exit 1; }
sed -i 's/0 0 -2/0 0 -2.5/' plate.obj
refused 'it has "meshes and what else is read' read.lua --data read.csv --free params.k --resume read.fit
sed -i 's/0 0 -2.5/0 0 -2/' plate.obj
printf 't,f\n0,0\n1,2\n' >load.csv
refused 'it has "scene, overrides and tables' read.lua --data read.csv --free params.k --resume read.fit
# a design too
if "$withy" fit beam.lua --minimise mass --subject "finish.z >= -1e-3" --free params.d -o light.fit --json >whole.json 2>err; then
    "$withy" fit beam.lua --minimise mass --subject "finish.z >= -1e-3" --free params.d --resume light.fit --json >resumed.json
    python3 -c 'import json; a, b = (json.load(open(f))["value"] for f in ("whole.json", "resumed.json")); assert abs(a - b) <= 1e-8 * a, (a, b)'
    refused 'it has "subject finish.z >= -1e-3"' beam.lua --minimise mass --subject "finish.z >= -2e-3" --free params.d --resume light.fit
    refused 'it has "minimise mass"' beam.lua --minimise "2*mass" --subject "finish.z >= -1e-3" --free params.d --resume light.fit
fi
