#!/bin/sh
# What cannot be done is refused before any work is: sounds, values of --set, results of another kind, plots, sweeps.
. "$1/tests/tree/workshop.sh"
needs_hdf5

cat > scene.lua <<'LUA'
return {
  rod = { length = 1, section = circle { diameter = 2e-3 }, material = { young = 2e11, poisson = 0.3, density = 7800 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  time = { stop = 0.02, output = 0.01 }, method = "director", options = { n = 4, dt = 1e-4 },
  probes = { a = { at = 0.5, what = "position", every = 0.0003 } },
}
LUA

# a sound whose samples are not even is refused before the run, and no file is said to be written
if ! "$withy" list sinks | grep -q 'wav.*libsndfile'; then
    for row in "0.00033 1e-4" "0.00095 auto" "0.00007 auto" "0.0003 3.3e-5" "0.0001234 1e-4" "0.01 1e-4" "nil auto"; do
        every=${row% *} step=${row#* }
        expect 2 "$withy" run scene.lua -o q.wav --set probes.a.every="$every" --set options.dt="$step"
        says "q.wav: " err
        [ ! -s out ] || fail "a run for a sound that cannot be written: every = $every, dt = $step: $(cat out)"
        [ ! -e q.wav ] || fail "a sound of uneven samples"
    done
    expect 0 "$withy" run scene.lua -o q.wav; says "written: q.wav" out
    # before the run what export says after it
    python3 - "$withy" <<'PY' || fail "sounds of random intervals"
import random, subprocess, sys, datetime
seed = datetime.date.today().toordinal()
pick = random.Random(seed)
run = lambda *a: subprocess.run([sys.argv[1], *a], capture_output=True, text=True)
for _ in range(12):
    every = pick.choice([0.01 / pick.randint(10, 200), round(pick.uniform(5e-5, 1e-3), 5), pick.uniform(2e-5, 1e-3)])
    step = pick.choice(["1e-4", "auto", "3.3e-5"])
    what = [f"--set=probes.a.every={every!r}", f"--set=options.dt={step}"]
    wav = run("run", "scene.lua", "-o", "r.wav", *what)
    assert run("run", "scene.lua", "-q", "-o", "r.h5", *what).returncode == 0
    later = run("export", "r.h5", "--wav", "-o", "s.wav").returncode
    assert wav.returncode == later and (later == 0 or not wav.stdout), (seed, every, step, wav, later)
PY
fi

# --set takes one value and nothing behind it
python3 - "$withy" <<'PY' || fail "values of --set"
import random, subprocess, sys, datetime
seed = datetime.date.today().toordinal()
pick = random.Random(seed)
behind = [",5", ", 0.03", " 5", "e", "e+", ".", "..", " --", "-- s", ";", "; x", ")", "}", "]", "'", " or", "=1", " then",
          "s", " s", "_", "%", ",", ",nil", ";;", "@", ":", "\\", "]]", "0x", "\n;"]
check = lambda text: subprocess.run([sys.argv[1], "run", "scene.lua", "-q", "--set", "time.stop=" + text],
                                    capture_output=True, text=True, errors="replace")
for junk in behind + ["".join(pick.choice(",;)]}'\"=&|!?\\") for _ in range(pick.randint(1, 4))) for _ in range(10)]:
    number = repr(round(pick.uniform(0.01, 0.03), pick.randint(3, 9)))
    done = check(number + junk)
    assert done.returncode == 2 and "--set time.stop=" in done.stderr, (seed, number + junk, done)
for text in ["0x", "1e", "", " ", "1,5", "1 5", ".", "-"]:
    assert check(text).returncode == 2, text
for text in ["0.02", " 0.02 ", "2e-2", "(0.02)", "0.01 * 2", "0x1p-6", ".02", "math.min(0.02, 1)", "1 and 0.02"]:
    assert check(text).returncode == 0, text
PY
expect 0 "$withy" check scene.lua --set 'title=one, two'; says "one, two" out

# the result of a sweep where that of a run is needed
expect 0 "$withy" sweep scene.lua --over options.n=4,5 -o sweep.h5
for command in "view sweep.h5 -o v.html" "render sweep.h5 -o r.mp4" "run --resume sweep.h5" "export sweep.h5 --wav -o s.wav" \
    "plot sweep.h5 --minus sweep.h5 -o d.svg"; do
    # shellcheck disable=SC2086 # words
    expect 2 "$withy" $command
    grep -q "newer" err && fail "$command: $(cat err)"
    says "sweep" err
done
# check says that a method accepts a scene with time only if its run starts, and says what part of a run it has tried
sed 's/probes = .*/rotating = { spin = { 0, 0, 10 } },/' scene.lua >turns.lua
expect 0 "$withy" check turns.lua; says "director   accepts for static and modes; run refuses: director: a scene in a rotating frame" out
grep -q "the run\b" out && fail "check gives the time of a run that is refused: $(cat out)"
expect 2 "$withy" run turns.lua
expect 0 "$withy" check scene.lua --set probes=nil --set time.stop=1e6 --set time.output=1e3
says "only the first part of the run was tried, to t = " out; says "of 1e+06 s in " out; says "if all of it is like this part" out
expect 0 "$withy" check scene.lua --set probes=nil
grep -q -e "the run takes " -e "it takes about " out || fail "check does not say how long the run takes"
cat >fails.lua <<'LUA'
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e3, shear = 1e3 }, inertia = { mass = 1, rotary = 1e-3 } },
  initial = { shape = straight { along = { 1, 0, 0 } }, velocity = function(s) return 0, s, 0 end }, ends = { start = clamped {} },
  time = { stop = 1, output = 0.1 }, method = "fdtd", options = { n = 20, dt = 0.01, safe = false } }
LUA
expect 0 "$withy" check fails.lua; says "the run fails after t = " out
# the files of a sweep: their format, and that they can be written, before its first member
for file in t.txt t.pvd t.wav t t.CSV "t.csv -o t.csv" "u.h5 -o t.txt" "u.h5 -o u.h5"; do
    # shellcheck disable=SC2086 # words
    expect 2 "$withy" sweep scene.lua --over options.n=4,5 -o $file; [ ! -s out ] || fail "sweep -o $file: $(cat out)"
    says "${file##* }: " err
done
for file in nowhere/t.csv nowhere/t.h5 "u.h5 -o nowhere/t.csv"; do
    # shellcheck disable=SC2086
    expect 1 "$withy" sweep scene.lua --over options.n=4,5 -o $file; [ ! -s out ] || fail "sweep -o $file: $(cat out)"
done
[ ! -e u.h5 ] && [ ! -e t.csv ] || fail "a sweep that is refused left a file"

# a window of time outside the result
if command -v gnuplot >/dev/null; then
    expect 0 "$withy" run scene.lua -q -o scene.h5
    for what in "" "--what finish.z" "--energy" "--probes" "--what a" "--profile bend"; do
        # shellcheck disable=SC2086 # words
        expect 2 "$withy" plot scene.h5 --from 5 $what -o late.svg; says "--from 5: the result holds nothing there; it is from 0 to 0.02" err
        # shellcheck disable=SC2086
        expect 2 "$withy" plot scene.h5 --to -1 $what -o late.svg; says "--to -1: the result holds nothing there; it is from 0 to 0.02" err
    done
    [ ! -e late.svg ] || fail "a picture of a time that is not in the result"
    expect 2 "$withy" plot scene.lua --from 5 -o late.svg; says "it is from 0 to 0.02" err
    "$withy" plot scene.h5 --from 0.02 -q -o last.svg 2>err || fail "plot --from the last snapshot: $(cat err)"
fi
# every option of plot has an effect on the picture, or is refused: those of its help, for each kind of input
if command -v gnuplot >/dev/null; then
    sed 's/stop = 0.02/stop = 0.05/' scene.lua >moves.lua
    move='gravity={ 0, 0, -9.81 }'
    for n in 4 8 16; do expect 0 "$withy" run moves.lua -q -o m$n.h5 --set "$move" --set options.n=$n; done
    expect 0 "$withy" sweep moves.lua --set "$move" --over options.n=4,5,6 --want a.z:max --want energy -o sweep.h5
    python3 - "$withy" <<'PY' || fail "options of plot without an effect"
import re, subprocess, sys
run = lambda *a: subprocess.run([sys.argv[1], "plot", *a], capture_output=True, text=True)
listed = re.findall(r"^ +(?:-\w, |    )?--([\w-]+)(?: (\S+))?", run("--help").stdout, re.M)
value = {"profile": "bend", "what": "finish.z", "against": "energy", "spectrum": "a", "minus": "m4.h5", "frames-grid": "2", "plane": "xy",
         "count": "2", "thick": "0.01", "arrows": "frame", "every": "2", "frames": "0,1", "from": "0.015", "to": "0.035", "size": "700x500",
         "method": "director", "set": "options.n=5"}
silent = {"help", "output", "json", "quiet"} # nothing in the picture
other = {"minus", "errors"} # another kind of input
kinds = {"result": ["m4.h5"], "sweep": ["sweep.h5"], "difference": ["m8.h5", "--minus", "m4.h5"], "errors": ["m4.h5", "m8.h5", "m16.h5", "--errors"]}
assert len(listed) > 25, listed
refused = drawn = 0
for kind, words in kinds.items():
    plain = run(*words, "-o", "plain.svg")
    assert plain.returncode == 0, plain
    for name, takes in listed:
        if name in silent | other:
            continue
        asked = [f"--{name}"] + ([value[name]] if takes and name in value else [])
        done = run(*words, *asked, "-o", "asked.svg")
        if "has no effect" in done.stderr:
            assert done.returncode == 2, done
            refused += 1
        elif done.returncode == 0:
            drawn += 1
            same = open("plain.svg").read() == open("asked.svg").read()
            assert not same, f"plot of a {kind}: --{name} is ignored"
        else:
            assert done.returncode == 2 and done.stderr.startswith("withy: "), done
assert refused > 20 and drawn > 20, (refused, drawn)
PY
fi
[ $failures = 0 ]
