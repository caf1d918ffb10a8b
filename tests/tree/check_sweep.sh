#!/bin/sh
# withy sweep: the same file by one thread, by two, after an interruption and by two ranks of MPI; pictures of it.
withy=$2/withy
"$withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sweep() {
    "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3:6 --over params.coils=6,8 -w force.start.z -w energy "$@"
}
sweep -t 1 -o a.h5 -q || exit 1
sweep -t 2 -o b.h5 --json | grep -q '"done": 12' || { echo "not all members are done"; exit 1; }
cmp a.h5 b.h5 || { echo "one thread and two give different files"; exit 1; }
sweep -o b.h5 --resume | grep -q '12 were there' || { echo "--resume does not find the rows"; exit 1; }
cmp a.h5 b.h5 || { echo "--resume has changed a complete file"; exit 1; }
echo "one thread, two threads and --resume: the same file"
# rod by rod it is withy static
one=$("$withy" static spring_designer --set params.wire=1e-3 --set params.coils=6 --json |
    sed -n 's/.*"force": \[[^,]*, [^,]*, \([^]]*\)\].*/\1/p' | sed -n 3p)
[ -n "$one" ] || { echo "no force from withy static"; exit 1; }
# failures are rows
"$withy" sweep spring_designer --static --over params.wire=1e-3,9,2e-3 -o f.h5 > f.txt || { echo "a failed member ends the sweep"; exit 1; }
grep -q '3 of 3 members, 1 failed' f.txt && grep -q 'member 1 failed: .*must be between 0.0005 and 0.005 \[m\]' f.txt ||
    { echo "a failed member has no message"; cat f.txt; exit 1; }
cat > wild.lua <<'LUA'
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e3, shear = 1e3 }, inertia = { mass = 1, rotary = 1e-3 } },
  ends = { start = clamped {} }, gravity = { 0, 0, 1e200 }, time = { stop = 0.1, output = 0.05 }, method = "director", options = { n = 2, dt = 0.05 } }
LUA
"$withy" sweep wild.lua --over rod.length=1,2 -o g.h5 > /dev/null 2> g.txt
[ $? = 1 ] && grep -q 'every member has failed' g.txt || { echo "a sweep of failures only succeeds"; exit 1; }
# tables: by -o, by export, and as rows of JSON, with the units; of a failure the message
"$withy" sweep spring_designer --static --over params.wire=1e-3,9,2e-3 -w force.start.z -w stress -o t.csv -o t.h5 -q || exit 1
"$withy" sweep spring_designer --static --over params.wire=1e-3,9,2e-3 -w force.start.z -w stress -o u.csv --json > u.json || exit 1
"$withy" export t.h5 --csv -o v.csv > v.txt && grep -q '3 members written to v.csv' v.txt || { echo "no export of a sweep"; exit 1; }
cmp t.csv u.csv && cmp t.csv v.csv || { echo "three ways to a table differ"; exit 1; }
[ "$(ls u.*)" = "$(printf 'u.csv\nu.json')" ] || { echo "a table leaves another file: $(ls u.*)"; exit 1; }
python3 - <<'PY' || { echo "the table of a sweep"; exit 1; }
import csv, json
rows = list(csv.DictReader(open("t.csv")))
assert list(rows[0]) == ["member", "params.wire [m]", "force.start.z [N]", "stress [Pa]", "status", "message"], list(rows[0])
assert [r["status"] for r in rows] == ["complete", "failed", "complete"] and "must be between" in rows[1]["message"]
assert rows[1]["stress [Pa]"] == "" and float(rows[2]["stress [Pa]"]) > 0
r = json.load(open("u.json"))
assert [c["name"] for c in r["columns"]] == ["params.wire", "force.start.z", "stress"] and r["columns"][2]["unit"] == "Pa"
assert r["columns"][0]["varied"] and not r["columns"][1]["varied"] and r["rows"][1] == [9, None, None]
assert [float(rows[2][k]) for k in ("params.wire [m]", "force.start.z [N]", "stress [Pa]")] == r["rows"][2]
PY
"$withy" export t.h5 --vtk 2>&1 | grep -q 'is the file of a sweep: --csv writes its rows' || { echo "export --vtk of a sweep"; exit 1; }
"$withy" sweep spring_designer --static --over params.wire=1e-3,2e-3 -o w.csv --resume 2>&1 | grep -q -- '--resume needs the FILE.h5 to continue; add -o FILE.h5' || { echo "--resume of a table"; exit 1; }
"$withy" sweep spring_designer --over params.wire=1e-3,2e-3 -w stress -o w.csv 2>&1 | grep -q 'is computed for equilibria only: sweep with --static' || { echo "stress of a run"; exit 1; }
echo "rows as tables and as JSON"
# what no member can be read with is refused, and an old file stays
echo old > h.h5
for over in params.wire=8,9 rod.nothing=1..2:3; do
    "$withy" sweep spring_designer --static --over $over -o h.h5 > /dev/null 2> h.txt
    [ $? = 2 ] && grep -q 'every member of the sweep is refused; the first: ' h.txt && [ "$(cat h.h5)" = old ] ||
        { echo "--over $over: $(cat h.txt)"; exit 1; }
done
echo "failures are rows with a message"
if command -v gnuplot > /dev/null; then
    "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3 --sample lhs:8 -o s.h5 -q || exit 1
    for file in a f s; do
        "$withy" plot $file.h5 -o $file.svg -q && grep -q '</svg>' $file.svg || { echo "no picture of $file.h5"; exit 1; }
    done
    "$withy" plot a.h5 --what nothing -o n.svg 2>&1 | grep -q 'holds no number "nothing"; it has force.start.z energy' || { echo "plot of a number that is not there"; exit 1; }
    "$withy" plot a.h5 --parallel -o p.svg -q && grep -q '>params.coils<' p.svg || { echo "no parallel coordinates"; exit 1; }
    "$withy" plot s.h5 --what energy --against force.start.z -o q.svg -q && grep -qF '>force.start.z [N]<' q.svg && grep -qF '>energy [J]<' q.svg || { echo "no number against another"; exit 1; }
    "$withy" plot s.h5 --against nothing -o n.svg 2>&1 | grep -q 'holds no number "nothing"' || { echo "plot against a number that is not there"; exit 1; }
    echo "pictures of a grid, of failures and of samples"
fi
# members side by side
"$withy" sweep spring_designer --static --over params.wire=1e-3,9,2e-3 -o v.h5 --results all -q || exit 1
"$withy" view all --members 0,1 -o v.html 2>&1 | grep -q 'there is no all/000001.h5: the member has failed' || { echo "view of a failed member"; exit 1; }
"$withy" view v.h5 --members 0 -o v.html 2>&1 | grep -q 'name it in place of FILE.h5' || { echo "view --members of a file"; exit 1; }
"$withy" view all --members 0,x -o v.html 2>&1 | grep -q 'must be numbers of members' || { echo "view --members 0,x"; exit 1; }
if "$withy" view all --members 0,2 -o v.html > v.txt 2>&1; then
    grep -q '"name":"000000.h5"' v.html && grep -q '"name":"000002.h5"' v.html || { echo "members are not side by side"; exit 1; }
else
    grep -q 'the viewer is not in this build' v.txt || { cat v.txt; exit 1; }
fi
# motions under fdtd: eight members to a vector; on a device where there is one, else a message
cat > fall.lua <<'END'
local p = params { young = { 1e6, 1e5, 1e7 }, damp = 0 }
return { rod = { length = 1, section = circle { diameter = 0.05 }, damping = { time = 1e-4 * p.damp },
         material = { young = p.young, shear = 4e5, density = 1000 } }, gravity = { 0, 0, -9.81 },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, ends = { start = clamped {}, finish = free {} },
  probes = { tip = { at = 1, what = "position", every = 1e-3 } }, time = { stop = 0.01, output = 5e-3 }, method = "fdtd", options = { n = 8 } }
END
fall() {
    "$withy" sweep fall.lua --over params.young=5e5..2e6:10 --over params.damp=0,1 -w tip.z -w energy "$@"
}
fall -t 1 -o v1.h5 | grep -q 'engine: vectors of eight rods' || { echo "members are not packed into vectors"; exit 1; }
fall -t 2 -o v2.h5 -q && cmp v1.h5 v2.h5 || { echo "vectors: one thread and two give different files"; exit 1; }
(
    export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # of the driver of the device
    OCL_ICD_VENDORS=$work/none OCL_ICD_FILENAMES= fall --engine opencl -o none.h5 > none.txt 2>&1
    [ $? != 0 ] && grep -q 'OpenCL: .*use another engine' none.txt && [ ! -e none.h5 ] || { echo "no message without OpenCL"; cat none.txt; exit 1; }
    if fall --engine opencl -t 1 -o c1.h5 > c1.txt 2>&1; then
        grep -q 'engine: OpenCL on ' c1.txt || { echo "the device is not named"; exit 1; }
        fall --engine opencl -t 2 -o c2.h5 -q && cmp c1.h5 c2.h5 || { echo "device: one thread and two give different files"; exit 1; }
        fall --engine auto -o c3.h5 -q || exit 1
        echo "vectors, and$(sed -n 's/.*engine: OpenCL//p' c1.txt): the same file by one thread and two"
    else
        grep -q 'OpenCL: ' c1.txt || { cat c1.txt; exit 1; }
        echo "vectors: the same file by one thread and two; no device"
    fi
) || exit 1
# a signal ends a sweep while its members run, and --resume refuses what it would compute otherwise
printf 't,f\n0,0\n1,1\n' > load.csv
cat > long.lua <<'END'
local m = table "load.csv"
local p = params { load = { 1, 0.5, 2 } }
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.3, rotary = 1e-5 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  loads = { point { at = 1, force = { 0, 0, p.load * m[2][2] } } }, time = { stop = 1e6, output = 1 }, method = "director", options = { n = 8, dt = 5e-3 } }
END
for signal in TERM HUP; do # INT is ignored by what a script starts in the background
    rm -f long.h5
    "$withy" sweep long.lua --over params.load=1,2 -o long.h5 > long.txt 2>&1 &
    pid=$!
    while [ ! -s long.h5 ]; do sleep 0.05; done
    kill -s $signal $pid
    wait $pid
    [ $? = 130 ] && grep -q 'stopped on request after 0 of 2 members; --resume continues' long.txt || { cat long.txt; exit 1; }
done
printf 't,f\n0,0\n1,2\n' > load.csv
"$withy" sweep long.lua --over params.load=1,2 -o long.h5 --resume > long.txt 2>&1
[ $? = 2 ] && grep -q 'is of another sweep: it has "-- table "load.csv"' long.txt || { echo "a changed table is not refused"; cat long.txt; exit 1; }
cat > plate.obj <<'END'
v 0 0 -1
v 1 0 -1
v 0 1 -1
v 0 0 -2
f 1 2 3
f 1 4 2
f 1 3 4
f 2 4 3
END
sed -e '/^local m/d' -e 's/ \* m\[2\]\[2\]//' -e 's/stop = 1e6, output = 1 /stop = 0.1, output = 0.1 /' -e 's/rod = { length = 1,/rod = { length = 1, radius = 0.01,/' \
    -e 's/ends = /obstacles = { mesh { file = "plate.obj" } }, ends = /' long.lua > mesh.lua
"$withy" sweep mesh.lua --over params.load=1,2 -o mesh.h5 -q || exit 1
"$withy" sweep mesh.lua --over params.load=1,2 -o mesh.h5 --resume -q || exit 1
sed -i 's/0 0 -2/0 0 -2.5/' plate.obj
"$withy" sweep mesh.lua --over params.load=1,2 -o mesh.h5 --resume > mesh.txt 2>&1
[ $? = 2 ] && grep -q 'is of another sweep: it has "-- with its tables and meshes' mesh.txt || { echo "a changed mesh is not refused"; cat mesh.txt; exit 1; }
echo "signals end members; a changed table or mesh is refused"
# a disk that is full is no property of a member: the sweep stops with a message, and --resume continues
full() { "$withy" sweep falling_rod --set time.stop=0.5 --over rod.length=10..11:3 --results whole -o full.h5 "$@"; }
mkdir -p whole
if (ulimit -f 300; full > full.txt 2>&1); then echo "a full disk is not told"; exit 1; fi
grep -q 'whole/00000.*the sweep has stopped, --resume continues' full.txt || { cat full.txt; exit 1; }
full --resume > full.txt 2>&1 && grep -q '3 of 3 members, 0 failed\|3 of 3 members in' full.txt || { cat full.txt; exit 1; }
if command -v mpirun > /dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    if mpirun --oversubscribe -n 2 true 2>/dev/null; then
        # what the library of MPI keeps until its end is no leak of ours
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" mpirun --oversubscribe -n 2 "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3:6 \
            --over params.coils=6,8 -w force.start.z -w energy -o m.h5 -q 2> m.txt || { cat m.txt; exit 1; }
        cmp a.h5 m.h5 || { echo "two ranks give another file"; exit 1; }
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" mpirun --oversubscribe -n 3 "$withy" sweep fall.lua --over params.young=5e5..2e6:10 \
            --over params.damp=0,1 -w tip.z -w energy -o mv.h5 -q 2> m.txt || { cat m.txt; exit 1; }
        cmp v1.h5 mv.h5 || { echo "vectors: three ranks give another file"; exit 1; }
        echo "two and three ranks: the same files"
    fi
fi
# tolerances: a Latin hypercube of a normal distribution has one point in each hundredth of it; statistics and limits of the rows
tolerance() { "$withy" sweep spring_designer --static --over params.wire=2e-3+-2e-5 --over params.diameter=0.02..0.0202 --sample lhs:100:7 -w force.start.z "$@"; }
tolerance --limit "force.start.z >= 9.5" --limit "force.start.z<=10.2" --json > tolerance.json || exit 1
python3 - <<'PY' || { echo "a tolerance study is wrong"; exit 1; }
import json, math, statistics
study = json.load(open("tolerance.json"))
wire, force = ([row[[c["name"] for c in study["columns"]].index(name)] for row in study["rows"]] for name in ("params.wire", "force.start.z"))
below = sorted(0.5 * math.erfc(-(x - 2e-3) / 2e-5 / math.sqrt(2)) for x in wire)
assert all(i / 100 - 1e-12 <= u <= (i + 1) / 100 + 1e-12 for i, u in enumerate(below)), below
(of,) = study["statistics"]
for key, ours in (("mean", statistics.fmean(force)), ("deviation", statistics.stdev(force)), ("minimum", min(force)), ("maximum", max(force))):
    assert abs(of[key] - ours) <= 1e-12 * abs(ours), (key, of[key], ours)
good = sum(9.5 <= f <= 10.2 for f in force)
assert study["yield"]["good"] == good and study["yield"]["members"] == 100 and 20 < good < 100
PY
for wrong in '--over params.wire=2e-3+-0 --sample lhs:9:the standard deviation' '--over params.wire=2e-3+-1e-5:give --sample' \
    '--over params.wire=2e-3+-x --sample lhs:9:the standard deviation'; do
    "$withy" sweep spring_designer --static ${wrong%:*} -w force.start.z > wrong.txt 2>&1 && { echo "accepted: $wrong"; exit 1; }
    grep -q -- "${wrong##*:}" wrong.txt || { echo "$wrong:"; cat wrong.txt; exit 1; }
done
tolerance --limit "energy <= 1" > wrong.txt 2>&1 && { echo "a limit of a number that is not recorded is accepted"; exit 1; }
grep -q 'add --want energy' wrong.txt || { cat wrong.txt; exit 1; }
tolerance --limit "force.start.z < 1" > wrong.txt 2>&1 && { echo "a limit with < is accepted"; exit 1; }
grep -q 'NAME <= NUMBER' wrong.txt || { cat wrong.txt; exit 1; }
echo "tolerances, statistics and limits"
