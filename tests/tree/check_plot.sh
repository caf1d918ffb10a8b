#!/bin/sh
# withy plot and withy export from the command line: every kind of picture, every refusal.
. "$1/tests/tree/workshop.sh"
needs_hdf5
svg() { # svg FILE: well-formed, with lines and dots in it
    python3 - "$1" <<'PY' || fail "$1 is not a valid picture"
import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1])
assert d.documentElement.tagName == "svg" and len(d.getElementsByTagName("path") + d.getElementsByTagName("use")) > 20
PY
}

expect 0 "$withy" run falling_rod --set time.stop=10 -o a.h5
for kind in "" --shapes --energy --probes --ledger "--profile force --profile bend" --view3d \
    "--plane yz" "--frames-grid 6" "--frames-grid 6 --view3d" "--count 5" "--thick 0.1" "--thick 0.1 --view3d" "--every 3" "--frames 0,2,20" \
    "--from 2 --to 8" "--size 640x480" "--shapes --energy --probes --ledger --profile moment"; do
    rm -f a.svg
    expect 0 "$withy" plot a.h5 $kind
    svg a.svg
done
# numbers over time are those of the window: between its ends the axis has room for halves
for kind in --energy --ledger --probes --growth; do
    expect 0 "$withy" plot a.h5 $kind --from 3 --to 7 -o window.svg
    svg window.svg
    for tick in 3.5 6.5; do
        grep -q "> *$tick</tspan>" window.svg || fail "plot $kind --from 3 --to 7 shows other times"
    done
done
expect 0 "$withy" plot a.h5 -o a.png
[ "$(head -c 8 a.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "a.png is not a PNG"
expect 0 "$withy" plot a.h5 -o b.svg --count 5 --json
python3 -c 'import json; r = json.load(open("out")); assert len(r["times"]) == 5 and r["plane"] == "xz"' ||
    fail "plot --json"
expect 0 "$withy" plot a.h5 -o narrow.svg --shapes --plane yz # two numbers at least on a narrow axis
grep -q -- '>-0.5</tspan>' narrow.svg && grep -q -- '> 0.5</tspan>' narrow.svg || fail "one number on a narrow axis"
expect 0 "$withy" plot coil -o coil.svg --set time.stop=20 # a case, in 3-D
svg coil.svg
expect 0 "$withy" run four_bar --set time.stop=0.1 -o joints.h5 # joints have symbols, named in the key
for kind in --shapes "--shapes --view3d" "--frames-grid 2"; do
    expect 0 "$withy" plot joints.h5 $kind -o joints.svg
    svg joints.svg
done
expect 0 "$withy" plot joints.h5 --shapes -o joints.svg
grep -q '>hinge<' joints.svg || fail "plot does not show hinges"
expect 0 "$withy" run falling_rod --set time.stop=1 --set time.output=1 -o two.h5
expect 0 "$withy" plot two.h5

# paths of equilibria: the axis is the load factor, wherever it is written
factor() { # factor FILE: it shows the load factor, and no time
    svg "$1"
    grep -q 'load factor' "$1" || fail "$1 does not say load factor"
    ! grep -q '>t \[s\]<\|t = [-0-9.]*\( ... [-0-9.]*\)\? s<\|since t =' "$1" || fail "$1 shows a time"
}
cat > still.lua <<'LUA'
return {
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, probes = { tip = { at = 1, what = "position" } }, time = { stop = 1 },
}
LUA
expect 0 "$withy" static still.lua -q -o one.h5                                     # one equilibrium
expect 0 "$withy" static still.lua -q -o same.h5 --set "path={from=1,to=1,steps=3}" # four, all at 1
expect 0 "$withy" static still.lua -q -o path.h5 --set "path={to=1,steps=8}"
for result in one same path; do
    for kind in "" --shapes --energy --probes --ledger "--profile force --profile moment" --view3d \
        "--frames-grid 4" "--shapes --energy --probes --ledger"; do
        rm -f $result.svg
        expect 0 "$withy" plot $result.h5 $kind
        factor $result.svg
    done
done
expect 0 "$withy" plot path.h5 --frames-grid 9; grep -q 'load factor = 0.5<' path.svg || fail "cells of a path"
expect 2 "$withy" plot path.h5 --spectrum tip; says "only a run in time has a spectrum"
expect 0 "$withy" static snap_arch -q -o arch.h5 # turns back twice: no factor is outside the picture
expect 0 "$withy" plot arch.h5 --energy
factor arch.svg
expect 0 "$withy" plot michell_ring -o ring.svg # a scene that has only a path
factor ring.svg
expect 0 "$withy" modes still.lua -q -o modes.h5
expect 0 "$withy" plot modes.h5 --frames-grid 6; grep -q 'mode 2: [0-9.]* Hz' modes.svg || fail "cells of modes"
rm -f modes.svg; expect 0 "$withy" plot modes.h5 # each by itself, with its damping; frequencies may be equal
grep -q 'mode 6: [0-9.]* Hz, damping [0-9.e-]*' modes.svg || fail "labels of modes"
expect 2 "$withy" plot modes.h5 --probes; says "no record of tip"

# two results: their difference at common times and places, errors from coarse to fine, growth of a step
for n in 5 10 20 40; do
    expect 0 "$withy" run coil -q --set rod.length=6.283185307179586 --set probes.middle.at=1 --set time.stop=100 \
        --set time.output=25 --set options.n=$n --set options.dt=$(python3 -c "print(20 / $n)") -o n$n.h5
done
expect 0 "$withy" plot n5.h5 --minus n5.h5 -o none.svg --json
python3 -c 'import json; r = json.load(open("out")); assert r["largest"] == 0 and r["times"] == 5 and r["places"] == 6' ||
    fail "a result minus itself is zero everywhere"
expect 0 "$withy" plot n5.h5 --minus n10.h5 -o minus.svg --json; svg minus.svg
for n in 5 10; do expect 0 "$withy" export n$n.h5 --csv -o n$n.csv; done
expect 0 "$withy" plot n5.h5 --minus n10.h5 -o minus.svg --json
python3 - <<'PY' || fail "the largest difference is that of the two tables"
import csv, json, math
def places(file):
    return {(round(float(r["t [s]"]), 6), round(float(r["s [m]"]), 6)): [float(r[c]) for c in ("x [m]", "y [m]", "z [m]")]
            for r in csv.DictReader(open(file))}
a, b, r = places("n5.csv"), places("n10.csv"), json.load(open("out"))
assert abs(r["largest"] - max(math.dist(a[k], b[k]) for k in a)) < 1e-7
PY
for kind in --probes "--profile position --profile velocity" "--from 25 --to 75"; do
    expect 0 "$withy" plot n5.h5 --minus n10.h5 $kind -o minus.svg
    svg minus.svg
done
expect 0 "$withy" plot n10.h5 n20.h5 n40.h5 --errors -o errors.svg --json; svg errors.svg
python3 -c 'import json; e = json.load(open("out"))["errors"]; assert len(e) == 2 and 3.9 < e[0] / e[1] < 4.1, e' ||
    fail "errors fall as the square of the step: $(cat out)"
expect 0 "$withy" plot n10.h5 --growth -o growth.svg; svg growth.svg
expect 2 "$withy" plot path.h5 --growth; says "only a run in time"
expect 2 "$withy" plot n5.h5 --minus path.h5 -o x.svg; says 'nothing to subtract'
expect 2 "$withy" plot n5.h5 --minus a.h5 -o x.svg; says 'is 6.28319 m long in n5.h5 and 10 m in a.h5'
expect 2 "$withy" plot n5.h5 --minus n10.h5 --from 1 --to 2 -o x.svg; says "have no time in common there"
expect 2 "$withy" plot n5.h5 --minus falling_rod; says "run the scene first"
expect 2 "$withy" plot n5.h5 --errors; says "from the coarsest to the finest"
expect 2 "$withy" plot n5.h5 --minus n10.h5 --profile force.material; says "in the axes of space only"
[ ! -e x.svg ] || fail "a picture of nothing"

# a title cannot run anything
cat > evil.lua <<'LUA'
return {
  title = "x'`touch pwned`'\n\"$(touch pwned)\" {/=90 y}",
  rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } },
  ends = { start = clamped { position = { 0, 0, 0 }, tangent = { 0, 0, 1 } }, finish = free {} },
  time = { stop = 1, output = 0.5 }, method = "elastica", options = { n = 5, dt = 0.5 },
}
LUA
expect 0 "$withy" plot evil.lua -o evil.svg
svg evil.svg
[ ! -e pwned ] || fail "a title was executed"

expect 2 "$withy" plot; says "expected one result or scene"
expect 2 "$withy" plot nowhere.h5; says "nowhere.h5: cannot be read: No such file"
echo text > text.h5
expect 2 "$withy" plot text.h5; says "not a result file of withy"
expect 2 "$withy" plot a.h5 -o a.gif; says ".svg, .png or .pdf"
expect 2 "$withy" plot a.h5 --plane xw; says "must be xy, xz, yz, 3d or auto"
expect 2 "$withy" plot a.h5 --count 0; says "whole number from 1"
expect 2 "$withy" plot a.h5 --thick wide; says "must be a number"
expect 2 "$withy" plot a.h5 --thick -1; says "must not be negative"
expect 2 "$withy" plot a.h5 --frames 0,999; says "numbers of snapshots from 0 to 20"
expect 2 "$withy" plot a.h5 --profile colour; says "must be one of position frame"
expect 2 "$withy" plot a.h5 --size big; says "WIDTHxHEIGHT"
expect 1 "$withy" plot a.h5 -o /nonexistent/a.svg; says "/nonexistent/a.svg"
expect 2 "$withy" plot two.h5 --profile shear; says "does not hold it"
mkdir bin
PATH=$work/bin expect 2 "$withy" plot a.h5
says "sudo apt-get install gnuplot-nox"

# export
expect 0 "$withy" export a.h5 --csv --vtk --json
python3 - <<'PY' || fail "the exported files"
import csv, json, xml.dom.minidom
r = json.load(open("out"))
assert r["snapshots"] == 21 and r["written"] == ["a.csv", "a.pvd"], r
rows = list(csv.DictReader(open("a.csv")))
stations = 1 + max(int(row["station"]) for row in rows)
assert len(rows) == 21 * stations and all(None not in row for row in rows)
assert all(float(v) == float(v) for row in rows for v in row.values())
assert len(list(csv.DictReader(open("a.ledger.csv")))) == 21
assert list(csv.DictReader(open("a.probes.csv")))[-1]["probe"] == "tip"
sets = xml.dom.minidom.parse("a.pvd").getElementsByTagName("DataSet")
assert len(sets) == 21 and sets[-1].getAttribute("timestep") == "10"
piece = xml.dom.minidom.parse(sets[-1].getAttribute("file")).getElementsByTagName("Piece")[0]
assert int(piece.getAttribute("NumberOfPoints")) == stations
PY
expect 0 "$withy" export path.h5 --csv -o path.csv
for file in path.csv path.ledger.csv path.probes.csv; do
    [ "$(head -1 $file | cut -d, -f1)" = "load factor" ] || fail "$file: the first column of a path"
done
expect 0 "$withy" export a.h5 --csv other.csv; [ -s other.csv ] || fail "export --csv OUT"
# chosen numbers of several results in one picture
cp a.h5 other.h5
expect 0 "$withy" plot a.h5 other.h5 --what tip.z --what kinetic -o both.svg; svg both.svg
[ "$(grep -o 'other\.h5' both.svg | wc -l)" -ge 2 ] || fail "plot --what does not name both results: $(grep -o '[a-z]*\.h5' both.svg)"
grep -q '>tip.z \[m\]<' both.svg || fail "plot --what does not name its number"
expect 0 "$withy" plot a.h5 --what finish --from 2 --to 8 -o ends.svg; svg ends.svg
expect 2 "$withy" plot a.h5 --what nothing -o no.svg; says "a.h5 has no such number; it has start, middle, finish, tip"
# any quantity of any place, body, joint and contact; one number is one curve, whatever it is called
for name in finish.z finish.position.z s=10.z; do
    expect 0 "$withy" plot a.h5 --what $name -o what.svg
    grep -v '<text>' what.svg | md5sum
done | sort -u > same
[ "$(wc -l < same)" = 1 ] || fail "--what finish.z, finish.position.z and s=10.z are not one curve"
expect 0 "$withy" run satellite --set time.stop=0.05 -q -o b.h5
expect 0 "$withy" plot b.h5 --what hub.spin.norm --what joint2.force --what rod2.middle.moment --what finish.velocity.z \
    --dark -o parts.svg
svg parts.svg
for text in 'hub.spin.norm \[rad/s\]' 'joint2.force \[N\]' 'rod2.middle.moment \[N m\]' 'finish.velocity.z \[m/s\]'; do
    grep -q ">$text<" parts.svg || fail "--what: no $text"
done
grep -q 'height="[0-9]*" fill="#14181d"' parts.svg || fail "--dark is not dark"
expect 2 "$withy" plot b.h5 --what hub.colour -o no.svg; says "no such number"
expect 2 "$withy" plot b.h5 --what finish.velocity.w -o no.svg; says "no such number"
expect 2 "$withy" plot a.h5 other.h5; says "several results are drawn with --what NAME"
# arrows of the curvature at rest and of the frames
expect 0 "$withy" run natural_curvature --set time.stop=1 -q -o k.h5
for name in kappa frame; do
    expect 0 "$withy" plot k.h5 --arrows $name --frames 0 --plane 3d -o arrows_$name.svg; svg arrows_$name.svg
done
grep -q '>kappa<' arrows_kappa.svg && grep -q '>d1, d2<' arrows_frame.svg || fail "the arrows are not named"
expect 0 "$withy" plot k.h5 --frames 0 --plane 3d -o bare.svg
[ "$(wc -c < arrows_kappa.svg)" -gt "$(wc -c < bare.svg)" ] || fail "--arrows draws nothing"
expect 2 "$withy" plot a.h5 --arrows kappa -o no.svg; says "the result has no kappa"
expect 2 "$withy" plot k.h5 --arrows spin -o no.svg; says "must be kappa or frame"
[ ! -e no.svg ] || fail "a refused picture was written"
expect 2 "$withy" export a.h5; says "give a format"
expect 2 "$withy" export a.h5 --csv -o a.txt; says "ends with .csv"
expect 1 "$withy" export a.h5 --csv -o /nonexistent/a.csv; says "/nonexistent/a.csv"
# a path of 140 equilibria is drawn from its first to its last shape
expect 0 "$withy" static snap_arch -q -o path.h5
expect 0 "$withy" plot path.h5 --shapes -o path.svg --json
python3 -c 'import json, subprocess, sys; t = json.load(open("out"))["times"]; p = json.loads(subprocess.check_output([sys.argv[1], "static", "snap_arch", "--json"]))["points"]; assert len(p) > 100 and t[0] == p[0]["factor"] and t[-1] == p[-1]["factor"] and len(t) < 50, t' "$withy" || fail "plot --shapes leaves the end of a path out"
expect 0 "$withy" plot path.h5 --shapes --count 1 -o one.svg; says ": 1 shape drawn" out

[ $failures = 0 ]
