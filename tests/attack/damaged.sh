#!/bin/sh
# usage: damaged.sh PROGRAM COUNT: COUNT damaged copies of real results (a sector lost, spoilt or swapped, a page lost, bits
# and bytes changed, cut off) through export, view, plot and render; prints one line, and fails on a crash, a hang over 5 s, a
# failure without a message, or numbers that differ from those of the whole file.
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
attack=$(dirname "$program")/tests/attack_damaged
"$program" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
[ -x "$attack" ] || { echo "damaged.sh: $attack is not there: build the target attack_damaged"; exit 1; }
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # in memory: files are synced, which is not what is tested here
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat > rod.lua <<'LUA'
return {
  title = "rod",
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, time = { stop = 0.02, output = 0.002 },
  probes = { tip = { at = 1, what = "position" }, root = { at = 0, what = "moment" } },
}
LUA
make() { "$program" "$@" --quiet || { echo "damaged.sh: no result from $*"; exit 1; }; }
make static rod.lua --set "path={to=1,steps=4}" -o 1.h5
make run rod.lua --method director --set options.n=6 -o 2.h5
make run rod.lua --method elastica --set options.n=8 -o 3.h5
make run rod.lua --method elastica --set options.n=8 --set time.stop=1 --set time.output=0.01 -o 4.h5
"$program" run falling_rod --quiet --set time.stop=1e6 --set time.output=1 -o 5.h5 & # killed
pid=$!
sleep 1
kill -9 $pid
wait $pid 2>/dev/null
export ASAN_OPTIONS=detect_leaks=0 # the driver keeps the files it damages until its end
half=$(($2 / 2))
mkdir a b
(cd a && "$attack" 0 $half ../?.h5 >count 2>err) &
(cd b && "$attack" $half $(($2 - half)) ../?.h5 >count 2>err)
wait
cat a/err b/err | head -20
cat a/count b/count | awk '{ for (i = 1; i <= 6; i++) n[i] += $i }
    END {
        printf "%d damaged files: %d refused with a message, %d read as written; ", n[1], n[2], n[1] - n[2] - n[6]
        printf "%d crashes, %d hangs, %d failures without a message, %d with other numbers\n", n[3], n[4], n[5], n[6]
        exit !(NR == 2 && n[3] + n[4] + n[5] + n[6] == 0)
    }'
