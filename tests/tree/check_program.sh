#!/bin/sh
# The program from the command line: exit status, JSON, overrides, errors, Ctrl-C.
. "$1/tests/tree/workshop.sh"

expect 2 "$withy"
expect 0 "$withy" --help; says "withy help COMMAND" out
expect 0 "$withy" --version
expect 2 "$withy" fly; says 'there is no command "fly"' err
for command in run static modes check compare plot export render view list verify; do
    expect 0 "$withy" $command --help; says "example:" out
done
expect 2 "$withy" run; says "expected one scene, got 0 arguments" err
expect 2 "$withy" run nowhere.lua; says "nowhere.lua" err
expect 2 "$withy" run falling_rod --colour; says 'unknown option "--colour"' err
expect 2 "$withy" run falling_rod --method elastika; says 'did you mean "elastica"?' err
expect 2 "$withy" run falling_rod --set time.stop=-1 -o never.h5; says "time.stop" err
[ ! -e never.h5 ] || fail "a refused scene left a file"
expect 2 "$withy" run falling_rod -o result.xyz; says ".h5" err
expect 1 "$withy" run falling_rod --set time.stop=1 -o /nonexistent/dir/a.h5; says "/nonexistent/dir/a.h5" err

expect 0 "$withy" run falling_rod --set time.stop=5 --set options.n=12 --json -o a.h5
python3 - out <<'PY' || fail "run --json"
import json, sys
r = json.load(open(sys.argv[1]))
for key in "scene title method status steps t wall_s solver energy constraint_max ends probes".split():
    assert key in r, key
assert r["status"] == "complete" and r["t"] == 5
assert set(r["solver"]) >= {"iterations_max", "iterations_mean"}
assert set(r["energy"]) == {"start", "end", "drift_max", "scale"}
assert 0 <= r["energy"]["drift_max"] < 1e-10, "the falling rod is damped, and its loss is counted"
for end in "start", "finish":
    assert set(r["ends"][end]) == {"position", "force", "moment"}
PY
expect 0 "$withy" run falling_rod --set time.stop=5 --set rod.damping.bend=0 --json
python3 -c 'import json; d = json.load(open("out"))["energy"]["drift_max"]; assert 0 <= d < 1e-10, d' ||
    fail "drift of the undamped rod"
# a run that ends in numbers that mean nothing reports the last that did, and of when they are
cat > wild.lua <<'LUA'
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e3, shear = 1e3 }, inertia = { mass = 1, rotary = 1e-3 } },
  initial = { shape = straight { along = { 1, 0, 0 } }, velocity = function(s) return 0, s, 0 end }, ends = { start = clamped {} },
  time = { stop = 1, output = 0.1 }, method = "fdtd", options = { n = 20, dt = 0.01, safe = false } }
LUA
expect 1 "$withy" run wild.lua; says "the motion is unstable" err; says "at t = 0, the last snapshot:" out
grep -qi "nan\|inf" out && fail "a number that is not finite was printed"
# an input by a table of times and values: as the function that is straight between its rows
cat > input.lua <<'LUA'
return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = 1 } },
  ends = { start = clamped {}, finish = free { force = { 0, input "push", 0 } } },
  time = { stop = 0.5, output = 0.5 }, method = "director", options = { n = 2, dt = 0.05 } }
LUA
printf 't,push\n0,0\n0.2,0.1\n\n# held\n1,0.1\n' > push.csv
expect 0 "$withy" run input.lua --input push=push.csv --json; mv out table.json
expect 0 "$withy" run input.lua --input 'push=function(t) return math.min(0.5 * t, 0.1) end' --json; mv out function.json
python3 - <<'PY' || fail "run --input"
import json
a, b = (json.load(open(f))["ends"]["finish"]["position"] for f in ("table.json", "function.json"))
assert abs(a[1]) > 1e-4 and max(abs(x - y) for x, y in zip(a, b)) < 1e-12, (a, b)
PY
printf '0,0\n0,1\n' > back.csv; expect 2 "$withy" run input.lua --input push=back.csv; says "back.csv:2: its time is not after" err
printf '0,0\n1\n' > half.csv; expect 2 "$withy" run input.lua --input push=half.csv; says "half.csv:2: must be two numbers" err
: > none.csv; expect 2 "$withy" run input.lua --input push=none.csv; says "there is no row t,value" err
expect 2 "$withy" run input.lua --input push=nowhere.csv; says "nowhere.csv cannot be opened" err
expect 2 "$withy" run input.lua --input push; says "must be NAME=FILE.csv" err
expect 2 "$withy" run input.lua --input pull=push.csv; says "nothing follows an input of this name" err
expect 0 "$withy" check falling_rod; says "elastica" out
expect 0 "$withy" check falling_rod --json; python3 -m json.tool < out >/dev/null || fail "check --json"
for what in methods sinks cases quantities scene features; do
    expect 0 "$withy" list $what; [ -s out ] || fail "list $what is empty"
    expect 0 "$withy" list $what --json; python3 -m json.tool < out >/dev/null || fail "list $what --json"
done
expect 0 "$withy" list methods elastica; says "options.dt" out
expect 0 "$withy" list scene helix; says '### `helix' out; says "turns" out
expect 0 "$withy" list scene poisson; says "rod.material: |" out; [ "$(wc -l <out)" = 2 ] || fail "list scene poisson: $(cat out)"
expect 0 "$withy" list features; says "| roller ends | yes | - |" out; says "withy cannot" out
"$withy" list cases | grep -v '\.$' && fail "list cases cuts a message"
expect 0 "$withy" -V; says "withy 0." out
expect 0 "$withy" help plot; says "usage: withy plot" out
expect 2 "$withy" list methods nothing; says 'there is no "nothing" among the methods' err
expect 2 "$withy" verify nothing; says 'there is no source or study "nothing"' err
expect 2 "$withy" verify elastica nothing; says 'there is no source or study "nothing"' err
expect 0 "$withy" verify elastica --list # a source, although fdtd has a study of that name
[ "$(awk '{ print $1 }' out | sort -u)" = elastica ] || fail "verify elastica: $(cat out)"
expect 0 "$withy" verify fdtd/elastica --list; [ "$(wc -l <out)" = 1 ] || fail "one study: $(cat out)"
expect 2 "$withy" list methods elastica more; says 'too many arguments at "more"' err
expect 2 "$withy" export nowhere.h5 --csv; says "withy run SCENE -o nowhere.h5 makes it" err
expect 2 "$withy" export a.h5 --wav --gain inf; says "must be a finite number > 0" err
expect 2 "$withy" run falling_rod --json=1; says 'no value belongs to "--json=1"' err
expect 2 "$withy" run falling_rod -m elastica -m kirchhoff; says 'given twice: "-m"' err

# who asks for JSON gets it, of a failure too: one object with its message
cat > tiny.lua <<'LUA'
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e3, shear = 1e3 }, inertia = { mass = 1, rotary = 1e-3 } },
  ends = { start = clamped {} }, gravity = { 0, 0, -1 }, time = { stop = 0.1, output = 0.05 }, probes = { tip = { at = 1 } },
  method = "director", options = { n = 2, dt = 0.05 } }
LUA
printf 't,tip.z\n0.05,1\n0.1,1\n' > film.csv
: > nothing.lua; : > nothing.h5
fails_as_json() { # status command...
    expect "$@" --json
    shift
    python3 -c 'import json, sys; r = json.load(open("out")); assert r["error"]["message"] and r["error"]["status"] and r["status"] in ("refused", "failed"), r' ||
        fail "$* --json: $(head -c 200 out)"
}
for command in run static modes check compare; do fails_as_json 2 "$withy" $command nothing.lua; done
fails_as_json 2 "$withy" sweep nothing.lua --over rod.length=1..2:2 -o swept.h5
fails_as_json 2 "$withy" fit nothing.lua --data film.csv --free rod.length=0.5..2
for command in plot export render; do fails_as_json 2 "$withy" $command nothing.h5; done
fails_as_json 2 "$withy" list methods nothing
fails_as_json 2 "$withy" verify nothing
fails_as_json 2 "$withy" run tiny.lua --colour
fails_as_json 1 "$withy" run tiny.lua -s 'gravity={0,0,1e200}'
fails_as_json 1 "$withy" run tiny.lua -o /nonexistent/a.h5
expect 2 "$withy" run tiny.lua --colour; [ ! -s out ] || fail "JSON that nobody asked for"

# a title that is the name of the file is not said twice, a rigid rod has no number, and no drift is a word
expect 0 "$withy" check tiny.lua; says "tiny.lua: valid" out; grep -q "valid, tiny" out && fail "check names the scene twice"
says "EI 1 N m^2, GJ 1 N m^2" out
expect 0 "$withy" check tiny.lua -s rod.stiffness.twist=nil; says "EI 1 N m^2, GJ rigid" out; grep -q "rigid N" out && fail "check gives a rigid rod a unit"
expect 0 "$withy" run tiny.lua; says "tiny.lua: complete with director" out; grep -q ", tiny" out && fail "run names the scene twice"
expect 0 "$withy" run tiny.lua -s gravity=nil; says "constant to rounding of" out

# the probes of a run: least, largest, mean and deviation over its time, by the trapezoidal rule on the samples; no noise
expect 0 "$withy" run tiny.lua -s time.stop=1 -s time.output=0.1 -s options.n=8 -s options.dt=0.01 -s 'ends.start=clamped{}' \
    -s 'probes={tip={at=1},slope={at=0.5,what="velocity",every=0.1}}' --json -o swing.csv; mv out swing.json
expect 0 "$withy" run tiny.lua -s time.stop=1 -s time.output=0.1 -s options.n=8 -s options.dt=0.01 -s 'probes={tip={at=1}}'
says "  probe                      last      minimum      maximum         mean    deviation" out
grep -qE '[0-9]e-(1[5-9]|[2-9][0-9])' out && fail "run prints rounding noise: $(cat out)"
python3 - <<'PY' || fail "statistics of probes"
import csv, json
r = json.load(open("swing.json"))
rows = list(csv.DictReader(open("swing.probes.csv")))
for name, unit in (("tip", "m"), ("slope", "m/s")):
    s = r["statistics"][name]
    mine = [row for row in rows if row["probe"] == name]
    assert s["unit"] == unit and s["from"] == 0 and s["to"] == 1, s
    t = [float(row["t [s]"]) for row in mine]
    for k in range(3):
        x = [float(row[f"value{k + 1}"]) for row in mine]
        w = [0.0] * len(t)
        for i in range(len(t) - 1):
            w[i] += (t[i + 1] - t[i]) / 2; w[i + 1] += (t[i + 1] - t[i]) / 2
        mean = sum(a * b for a, b in zip(w, x)) / sum(w)
        deviation = (sum(a * (b - mean) ** 2 for a, b in zip(w, x)) / sum(w)) ** 0.5
        assert s["samples"] == len(t) and s["minimum"][k] == min(x) and s["maximum"][k] == max(x)
        assert abs(s["mean"][k] - mean) < 1e-12 and abs(s["deviation"][k] - deviation) < 1e-12, (name, k, s)
    assert s["deviation"][2] > 1e-4, "it swings"  # by g L^2 mass/(2 EA) = 5e-4 m about its middle
PY
# an equilibrium: both ends, the largest stress 32 F L/(pi d^3) and where it is, joints, obstacles and probes; in JSON too
cat > loaded.lua <<'LUA'
return { rods = { { name = "beam", length = 1, section = circle { diameter = 0.01 }, material = { young = 2e11, poisson = 0.3, density = 7800 },
           initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = free { force = { 0, 0, -1 } } } } },
  bodies = { { name = "bob", mass = 1, inertia = { 1, 1, 1 }, position = { 1, 0, 0 } } },
  joints = { weld { name = "knot", parts = { "beam", "bob" }, at = { 1, { 0, 0, 0 } } } },
  obstacles = { plane { name = "floor", point = { 0, 0, -5 } } }, probes = { tip = { rod = "beam", at = 1 } },
  time = { stop = 1, output = 1 }, method = "director", options = { n = 16 } }
LUA
expect 0 "$withy" static loaded.lua
says "  force at start     (0, 0, 1) N" out; says "  moment at finish " out; says "Pa at s = 0 m (von Mises, beam theory)" out
says "  knot " out; says "  floor              pressed by (0, 0, 0) N" out; says "  tip.z [m]" out
grep -q '     $' out && fail "static prints a blank column: $(cat out)"
expect 0 "$withy" static loaded.lua --json
python3 - <<'PY' || fail "static --json"
import json, math
r = json.load(open("out"))
p = r["points"][-1]
assert abs(p["ends"]["start"]["moment"][1] + 1) < 1e-3 and abs(p["ends"]["start"]["force"][2] - 1) < 1e-9, p["ends"]
assert abs(p["stress"]["largest"] / (32 / (math.pi * 1e-6)) - 1) < 1e-3 and p["stress"]["s"] == 0, p["stress"]
assert [x["kind"] for x in r["parts"]] == ["rod", "body", "joint", "obstacle"]
assert r["parts"][2]["name"] == "knot" and len(r["parts"][2]["torque"]) == 3
assert abs(r["probes"]["tip"][2] - p["ends"]["finish"]["position"][2]) < 1e-12 and r["statistics"]["tip"]["samples"] == 1
PY

# a title is printed whole, however long
title=$(python3 -c 'print("ä" * 300)')
sed "s/^return {/return { title = \"$title\",/" tiny.lua > titled.lua
for command in check run static modes; do
    expect 0 "$withy" $command titled.lua; says ", $title" out
done
# a refusal in several parts is one message of the JSON
expect 2 "$withy" plot page.h5 -o p.svg --profile nonsense --json
python3 -c 'import json; d = json.load(open("out")); assert d["status"] == "refused" and "--profile nonsense: must be one of position" in d["error"]["message"], d' ||
    fail "plot --json of a refusal"

# a wrong name of an output is reported before anything is computed
for command in static modes; do
    expect 2 "$withy" $command tiny.lua -o a.xyz; says "chooses its format" err; [ ! -s out ] || fail "$command computed first: $(cat out)"
done
# and so is a kind of file that cannot hold what is asked for, or a folder that is not there: of scenes that do not converge
heavy='gravity={0,0,1e200}'
expect 2 "$withy" static tiny.lua -s "$heavy" -o a.wav; says "only a run in time can be written as sound" err
expect 1 "$withy" static tiny.lua -s "$heavy" -o /nonexistent/a.h5; says "make its folder first" err
expect 1 "$withy" modes tiny.lua -s "$heavy" -o /nonexistent/a.csv; says "make its folder first" err
expect 2 "$withy" run tiny.lua -s "$heavy" -s 'probes={a={at=1,every=1/8000},b={at=0,every=1/4000}}' -o a.wav
says "a.wav: probes a and b are recorded at different intervals (0.000125 and 0.00025 s); give them the same every, or" err
fine="-s time.stop=0.01 -s time.output=0.005 -s options.dt=1/8000"
expect 2 "$withy" run tiny.lua -s "$heavy" $fine -s 'probes={a={at=1},b={at=0,every=1/4000}}' -o a.wav
says "a.wav: probes a and b are recorded at different intervals" err
[ ! -e a.wav ] || fail "a refused sound left a file"
expect 0 "$withy" run tiny.lua $fine -s 'probes={a={at=1},b={at=0,every=1/8000}}' -o both.wav; [ -s both.wav ] || fail "two probes at one rate"
expect 1 "$withy" fit tiny.lua --data film.csv --free rod.length=0.5..2 -o /nonexistent/f.lua
says "make its folder first" err; [ ! -s out ] || fail "fit computed first: $(cat out)"
# the table of a spring is not a result
for option in "-o a.h5" --error --branch; do
    expect 2 "$withy" static hanging_spring --spring $option; says "--spring prints a table and takes no ${option%% *}" err
done
# of one result the page has its name
expect 0 "$withy" run tiny.lua -o page.h5
expect 0 "$withy" view page.h5; [ -s page.html ] || fail "view without -o"
expect 2 "$withy" view page.h5 -o page.png; says "a page ends with .html" err
expect 0 "$withy" view page.h5 # its own page is replaced
echo "<html><title>my work</title></html>" > page.html
expect 2 "$withy" view page.h5; says "was not written by withy view" err; says "-o FILE.html" err
grep -q "my work" page.html || fail "view wrote over a page that is not its own"
expect 2 "$withy" view . --members 0; says "--members 0: name the page to write with -o FILE.html" err
expect 2 "$withy" view page.h5 a.h5; says "for more than one -o FILE.html" err
# what is no result, no table and no scene is the caller's mistake, with what to do
expect 2 "$withy" run --resume nowhere.h5; says "withy run SCENE -o nowhere.h5 makes it" err
mkdir -p folder
for command in "view folder" "export folder --csv" "run --resume folder"; do expect 2 "$withy" $command; says "give a result, FILE.h5" err; done
expect 2 "$withy" fit tiny.lua --data page.h5 --free rod.length=0.5..2; says "is not a text file; a table has columns" err
expect 2 "$withy" check -; says "standard input is /dev/stdin" err
"$withy" check /dev/stdin <tiny.lua >out || fail "a scene from a pipe"

# nothing on the command line is ignored silently
many=$(i=0; while [ $i -lt 70 ]; do echo "--set time.stop=1"; i=$((i + 1)); done)
expect 2 "$withy" check falling_rod $many; says "given too often" err

# a mistake in one name leaves the result of the other alone
cp a.h5 kept.h5
expect 2 "$withy" run falling_rod --set time.stop=1 -o a.h5 -o b.xyz
expect 2 "$withy" run falling_rod --set time.stop=1 -o a.h5 -o a.h5; says "named twice" err
cmp -s a.h5 kept.h5 || fail "a refused run has touched a result"
expect 1 "$withy" run falling_rod --set time.stop=1 -o /nonexistent/a.wav \
    --set 'probes={tip={at=1,every=1/8000}}' --set options.dt=1/8000; says "make its folder first" err

expect 2 "$withy" run falling_rod -o a.wav --set 'probes={tip={at=1,every=1}}'; says "1 samples per second" err
[ ! -e a.wav ] || fail "a refused sound left a file"
expect 2 "$withy" modes heavy_cantilever -o a.wav; says "only a run in time can be written as sound" err
# modes have names: of a round steel bar the first bending 0.55959 sqrt(EI/m)/L^2, torsion sqrt(G/rho)/(4L), axial sqrt(E/rho)/(4L)
cat > bar.lua <<'LUA'
return { rod = { length = 1, section = circle { diameter = 0.1 }, material = { young = 2e11, poisson = 0.3, density = 7800 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, method = "director", options = { n = 40 } }
LUA
expect 0 "$withy" modes bar.lua --count 8 --json
python3 - <<'PY' || fail "names of modes"
import json, math
m = json.load(open("out"))["modes"]
first = {w: next(x["frequency"] for x in m if x["motion"] == w) for w in ("bending", "torsion", "axial")}
E, rho, G = 2e11, 7800, 2e11 / 2.6
for word, want in (("torsion", math.sqrt(G / rho) / 4), ("axial", math.sqrt(E / rho) / 4),
                   ("bending", 3.5160 * math.sqrt(E * 0.1 ** 2 / 16 / rho) / 2 / math.pi)):
    assert abs(first[word] / want - 1) < 0.02, (word, first[word], want) # a stubby bar: shear and rotary inertia lower bending by a hundredth
assert all(x["along"] == "x" for x in m if x["motion"] == "axial") and m[0]["share_bending"] > 0.9
PY
expect 0 "$withy" check bar.lua; says "Hz about the equilibrium, bending along" out
# an unstable scene has many modes that grow: as many rows as were asked for, and one line for the others
expect 0 "$withy" modes bar.lua --count 2 -s 'ends.finish=free{force={-1e8,0,0}}'
[ "$(grep -c 'unstable: divergence' out)" = 2 ] || fail "modes --count 2: $(cat out)"; says "more unstable modes, growing by up to" out
# the table of modes names its method and what that leaves out
expect 0 "$withy" modes spring_surge; says "6 modes, kirchhoff" out; says "note: kirchhoff: leaves out stretch" out
# a step of cheb that is stable is not refused
expect 0 "$withy" run half_turn -m cheb --set options.dt=0.002 --set time.stop=2.4 -o h.h5
expect 2 "$withy" plot a.h5 -o a.svg --from 3 --to 1; says "must not be before --from" err
expect 2 "$withy" plot a.h5 -o a.svg --from nan; says "must be a number [s]" err

# whatever bytes the title has, the JSON is JSON
expect 0 "$withy" run falling_rod --set time.stop=1 --set 'title="\xe9\xed\xa0\x80 \xc3\xa9 <"' --json
python3 -c 'import json; t = json.load(open("out", encoding="utf-8"))["title"]
assert t.endswith(" \u00e9 <") and t.startswith("\ufffd"), t' || fail "JSON of a title that is not UTF-8"

# intervals that time cannot resolve
expect 2 "$withy" run falling_rod --set 'probes={tip={at=1,every=1e-30}}'; says "choose a longer interval" err
expect 0 "$withy" run falling_rod --set time.stop=1 --set 'probes={tip={at=1,every=1e300}}'
expect 0 "$withy" run falling_rod --set time.stop=1 --set 'probes={tip={at=1,every=1e-6}}'
says "probes.tip.every = 1e-06 is shorter than the step" out
expect 0 "$withy" run soft_cantilever -m cheb -s options.integrator=erk -s time.stop=0.01 -s time.output=0.01 \
    -s 'probes={tip={at=0.01,every=1e-3}}' -o adaptive.csv # it has no step of its own
[ "$(wc -l <adaptive.probes.csv)" = 12 ] || fail "an adaptive method skips samples: $(cat adaptive.probes.csv)"
"$withy" --version >/dev/full 2>err && fail "a full disk is not reported"
says "could not write to standard output" err

# every rod and body is in the summary, not the first alone
cat > flail.lua <<'LUA'
local function bar(name, x)
  return { name = name, length = 0.3, stiffness = { bend = 1, twist = 1, stretch = 1e3, shear = 1e3 }, inertia = { mass = 1, rotary = 1e-3 },
           initial = { shape = straight { from = { x, 0, 0 }, along = { 1, 0, 0 } } } }
end
return { rods = { bar("handle", 0), bar("swipple", 0.3) }, bodies = { { name = "ball", mass = 1, inertia = { 1, 1, 1 }, position = { 0.6, 0, 0 } } },
  joints = { hinge { parts = { "ground", "handle" }, at = { { 0, 0, 0 }, 0 }, axis = { 0, 1, 0 } },
             hinge { parts = { "handle", "swipple" }, at = { 0.3, 0 }, axis = { 0, 1, 0 } },
             weld { parts = { "swipple", "ball" }, at = { 0.3, { 0, 0, 0 } } } },
  time = { stop = 0.01, output = 0.01 }, method = "director", options = { n = 2, dt = 0.005 } }
LUA
expect 0 "$withy" run flail.lua; says "swipple            (0.3, 0, 0) to (0.6, 0, 0) m" out; says "ball               (0.6, 0, 0) m" out
expect 0 "$withy" run flail.lua --json
python3 -c 'import json; p = json.load(open("out"))["parts"]; assert [x["name"] for x in p] == ["handle", "swipple", "ball", "joint", "joint2", "joint3"], p
assert p[2]["kind"] == "body" and p[1]["finish"] == [0.6, 0, 0], p' || fail "run --json: parts"

# bodies alone: where they rest, and no columns of a rod
cat > bodies.lua <<'LUA'
return { bodies = { { name = "plate", mass = 1, inertia = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0 } } },
         joints = { spring { parts = { "ground", "plate" }, at = { { 0, 0, 0 }, { 0, 0, 0 } }, stretch = { 100, 100, 100 }, turn = { 5, 5, 5 } } },
         gravity = { 0, 0, -9.81 }, time = { stop = 1 } }
LUA
expect 0 "$withy" static bodies.lua; says "plate              (0, 0, -0.0981) m" out
grep -q finish out && fail "static of bodies alone speaks of the end of a rod"
expect 0 "$withy" static bodies.lua --json; python3 -c 'import json; d = json.load(open("out")); assert "ends" not in d["points"][0] and abs(d["parts"][0]["position"][2] + 0.0981) < 1e-12, d' || fail "static --json of bodies alone"

# check: what a wrong unit would show in
expect 0 "$withy" check hanging_spring -s time.stop=0.02 -s time.output=0.01; says "mass " out; says "length / thickness " out; says "first frequency " out
says "on average with" out
grep -q -e "the run takes" -e "it takes about" out || fail "check does not say how long the run takes" # on a slow machine a part is tried

# and the lowest frequency, also where a faster motion grows: 0.5596 sqrt(0.1) Hz of a cantilever next to Beck's column
cat > grows.lua <<'LUA'
local function column(y, bend, force)
    return { length = 1, stiffness = { bend = bend, twist = 1, stretch = 1e6, shear = 1e6 }, inertia = { mass = 1, rotary = 1e-6 },
             initial = { shape = straight { from = { 0, y, 0 }, along = { 1, 0, 0 } } },
             ends = { start = clamped {}, finish = free { force = { 0, 0, -force }, follower = true } } }
end
return { rods = { column(0, 0.1, 0), column(1, 1, 30) } }
LUA
expect 0 "$withy" check grows.lua; says "first frequency 0.177 Hz" out; says "2 of its modes grow" out

# degrees of freedom: check, modes and what they say of too many
cat > door.lua <<'LUA'
return { bodies = { { name = "leaf", mass = 1, inertia = { 0.1, 0.1, 0.15 }, position = { 0.5, 0, 0 } } },
         joints = { hinge { parts = { "ground", "leaf" }, at = { { 0, 0, 0 }, { -0.5, 0, 0 } }, axis = { 0, 0, 1 }, spring = 20 },
                    hinge { parts = { "ground", "leaf" }, at = { { 0, 0, 1 }, { -0.5, 0, 1 } }, axis = { 0, 0, 1 } } } }
LUA
expect 0 "$withy" check door.lua; says "10 constraints, 5 of them redundant: 1 degree of freedom left" out; says "first frequency 1.125 Hz" out
expect 0 "$withy" modes door.lua; says "1 mode, director" out
expect 2 "$withy" modes door.lua -k 2; says "only 1 degree" err
sed 's/axis = { 0, 0, 1 } } } }/axis = { 1, 0, 0 } } } }/' door.lua > locked.lua
expect 0 "$withy" check locked.lua; says "0 degrees of freedom left" out
expect 2 "$withy" modes locked.lua; says "nothing can move" err

# compare, small: check_compare.sh tests it in full, but not under sanitizers
scene="heavy_cantilever --methods director,kirchhoff --accuracy 0.1 -s time.stop=0.05"
expect 0 "$withy" compare $scene -o error.svg; says "agree within their error bars" out
[ -s error.svg ] || fail "no picture of the errors"
expect 1 "$withy" compare $scene --for kirchhoff:rod.material.young=2e6 --json
python3 -c 'import json; assert json.load(open("out"))["agree"] is False' || fail "compare --json"

# where nothing was compared nothing is drawn: the old picture stays
expect 1 "$withy" compare heavy_cantilever --static --methods kirchhoff,elastica --accuracy 0.5 --refine 1 -o alone.svg
says "nothing was compared" err; [ ! -e alone.svg ] || fail "a picture of a comparison that was none"

expect 1 "$withy" compare heavy_cantilever --static --methods director --accuracy 0.5 --refine 1; says "only director solved heavy_cantilever, so that nothing was compared" err

# Ctrl-C: the file is closed and readable, and the time reached is reported
# (not by a job in the background of this script, for which the shell ignores it)
timeout --preserve-status -s INT 2 "$withy" run falling_rod --set time.stop=100000 -o long.h5 >out 2>err
got=$?
[ $got = 130 ] || fail "status $got instead of 130 after Ctrl-C"
says "stopped on request at t = " err
says "interrupted" out
timeout --preserve-status -s INT 2 "$withy" plot falling_rod --set time.stop=100000 -o long.svg --json >out 2>err
[ $? = 130 ] || fail "plot after Ctrl-C"
python3 -c 'import json; d = json.load(open("out")); assert d["status"] == "interrupted" and "stopped on request" in d["error"]["message"], d' ||
    fail "plot --json after Ctrl-C"
expect 0 "$withy" plot long.h5 -o long.svg
[ -s long.svg ] || fail "no picture of an interrupted run"

# nothing is run because it lies in the present folder
mkdir -p tools && echo 'open("ran", "w")' > tools/mutate.py
env -u WITHY_SOURCE "$withy" verify --long mutations > out 2> err
says "needs a source tree" err
[ ! -e ran ] || fail "verify ran a file of the present folder"

[ $failures = 0 ]
