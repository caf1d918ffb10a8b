#!/bin/sh
# The program as a person uses it: exit status, JSON, overrides, errors, Ctrl-C.
set -u
withy=$2/withy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() { echo "FAIL: $*"; failures=$((failures + 1)); }
expect() { # expect STATUS command...
    wanted=$1; shift
    "$@" >out 2>err; got=$?
    [ $got = "$wanted" ] || fail "status $got instead of $wanted: $*: $(cat err)"
}
says() { grep -qF -- "$1" "$2" || fail "\"$1\" is not in: $(cat "$2")"; }

expect 2 "$withy"
expect 0 "$withy" --help; says "withy COMMAND --help" out
expect 0 "$withy" --version
expect 2 "$withy" fly; says 'there is no command "fly"' err
for command in run check compare plot view render export list modes static verify; do
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
assert set(r["energy"]) == {"start", "end", "drift_max"}
assert r["energy"]["drift_max"] is None, "the falling rod is damped"
for end in "start", "finish":
    assert set(r["ends"][end]) == {"position", "force", "moment"}
PY
expect 0 "$withy" run falling_rod --set time.stop=5 --set rod.damping.bend=0 --json
python3 -c 'import json; d = json.load(open("out"))["energy"]["drift_max"]; assert 0 <= d < 1e-10, d' ||
    fail "drift of the undamped rod"
expect 0 "$withy" check falling_rod; says "elastica" out
expect 0 "$withy" check falling_rod --json; python3 -m json.tool < out >/dev/null || fail "check --json"
for what in methods sinks cases quantities scene; do
    expect 0 "$withy" list $what; [ -s out ] || fail "list $what is empty"
    expect 0 "$withy" list $what --json; python3 -m json.tool < out >/dev/null || fail "list $what --json"
done
expect 0 "$withy" list methods elastica; says "options.dt" out
expect 2 "$withy" list methods nothing; says 'there is no "nothing" among the methods' err
expect 2 "$withy" verify nothing; says 'there is no source or study "nothing"' err

# compare, small: check_compare.sh does it in earnest, but not under sanitizers
scene="falling_rod --methods elastica,kirchhoff -s rod.damping.bend=0 -s time.stop=1 -s options.n=6 -s options.dt=0.1"
expect 0 "$withy" compare $scene -o error.svg; says "error bars overlap" out
[ -s error.svg ] || fail "no picture of the errors"
expect 1 "$withy" compare $scene --for kirchhoff:rod.stiffness.bend=2 --json
python3 -c 'import json; assert json.load(open("out"))["agree"] is False' || fail "compare --json"

# Ctrl-C: the file is finished, readable, and says how far it got
"$withy" run falling_rod --set time.stop=100000 -o long.h5 >out 2>err &
pid=$!
sleep 1.5
kill -INT $pid
wait $pid; got=$?
[ $got = 130 ] || fail "status $got instead of 130 after Ctrl-C"
says "stopped on request at t = " err
says "interrupted" out
expect 0 "$withy" plot long.h5 -o long.svg
[ -s long.svg ] || fail "no picture of an interrupted run"

[ $failures = 0 ]
