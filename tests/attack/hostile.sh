#!/bin/sh
# usage: hostile.sh PROGRAM COUNT: what somebody makes who computes checksums and hashes.  COUNT changed states and a tenth as
# many checkpoints of six methods, restored and run on (test_hostile_state), and a tenth as many results through export, view,
# plot and render (attack_hostile); prints what came of them, and fails on a crash, a hang, or a failure without a message.
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tests=$(dirname "$program")/tests
"$program" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
for name in test_hostile_state attack_hostile; do
    [ -x "$tests/$name" ] || { echo "hostile.sh: $tests/$name is not there: build it"; exit 1; }
done
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat > rods.lua <<'LUA'
local rod = function(z, along) return {
  length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 },
  initial = { shape = straight { from = { 0, 0, z }, along = along } } } end
return {
  title = "rods", rods = { rod(0.02, { 1, 0, 0 }), rod(0.05, { 0, 1, 0 }) },
  bodies = { { name = "b", mass = 1, inertia = { 1, 1, 1 }, position = { 0, 0, 0.3 }, shape = sphere { diameter = 0.1 } } },

  obstacles = { plane { point = { 0, 0, 0.01 } }, box { center = { 3, 0, 0 }, size = { 1, 1, 1 } } },
  contact = { stiffness = 1e5 }, gravity = { 0, 0, -9.81 }, method = "director", options = { n = 3, dt = 1e-3 },
  time = { stop = 0.02, output = 0.002 },
  probes = { tip = { at = 1, what = "position" }, ball = { body = "b", what = "position" } },
}
LUA
"$program" run rods.lua --quiet -o 1.h5 || exit 1
"$program" run tendon_robot --quiet -o 2.h5 --set options.n=4 --set time.stop=0.05 || exit 1
"$program" run falling_rod --quiet -o 3.h5 --set time.stop=1 || exit 1
export ASAN_OPTIONS=detect_leaks=0 # of results the driver keeps the files until its end
few=$(($2 / 10 + 1)) status=0
"$tests/attack_hostile" 0 $few ?.h5 > count 2> err || status=1
head -20 err
awk '{ printf "%d results: %d refused with a message; %d crashes, %d hangs, %d failures without a message\n", $1, $2, $3, $4, $5 }' count
unset ASAN_OPTIONS
"$tests/test_hostile_state" "$2" > states 2>&1 || { tail -30 states; status=1; }
grep -E '^[0-9]+ (states|checkpoints)' states
exit $status
