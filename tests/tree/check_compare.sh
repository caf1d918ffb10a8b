#!/bin/sh
# Methods that share nothing agree within their error bars, and a wrong stiffness in one is found out.
set -u
withy=$2/withy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
scene="falling_rod --methods elastica,kirchhoff,director -s rod.damping.bend=0 -s time.stop=8 -s options.n=20 -s options.dt=0.05"
$withy compare $scene -o error.svg > out 2>&1 || { cat out; echo "three methods do not agree"; exit 1; }
grep -q "elastica and director, finish" out || { cat out; echo "a pair is missing"; exit 1; }
[ -s error.svg ] || { echo "no picture"; exit 1; }
if $withy compare $scene --for director:rod.stiffness.bend=1.05 > out 2>&1; then
    cat out; echo "5 % more stiffness in one method was not found out"; exit 1
fi
grep -q "FAIL elastica and director" out || { cat out; exit 1; }
$withy compare $scene --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["agree"]'
