#!/bin/sh
# usage: valgrind.sh PROGRAM: check, run, static, modes, export, view and plot on short scenes under valgrind; prints one line,
# and fails on a wrong access, a value that was never set, or memory that is lost.  The program is built again next to the given
# one (preset valgrind, a minute), because valgrind does not know all instructions of the kernels for newer processors.
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed (apt-get install valgrind)"; exit 0; }
build=$(cd "$(dirname "$1")" && pwd)/valgrind
cd "$(dirname "$0")/../.." || exit 1
cmake --preset valgrind -B "$build" >/dev/null && cmake --build "$build" -j "$(nproc)" --target withy >/dev/null || exit 1
program=$build/withy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat > rod.lua <<'LUA'
return {
  title = "rod",
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, time = { stop = 0.001, output = 0.0005 }, options = { n = 8 },
  loads = { point { at = 0.5, force = function(t) return 0, 0, -10 * t end } },
  probes = { tip = { at = 1, what = "position" } },
}
LUA
count=0 wrong=0
mind() { # mind ARGUMENT...: one command under valgrind
    count=$((count + 1))
    valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        "$program" "$@" >out 2>err
    got=$?
    [ $got = 0 ] && return
    wrong=$((wrong + 1))
    echo "valgrind: status $got of withy $*"
    head -30 err
}
mind check rod.lua
for method in elastica kirchhoff director se3 cheb fdtd; do
    mind run rod.lua --method $method --quiet -o $method.h5
done
mind static rod.lua --method director --set "path={to=1,steps=2}" --quiet -o static.h5
mind modes rod.lua --method director --set 'loads={}' --count 2
mind export elastica.h5 --csv
mind export elastica.h5 --vtk
mind view elastica.h5 -o view.html
command -v gnuplot >/dev/null && mind plot elastica.h5 --shapes --energy --probes -o plot.svg
echo "$count commands under valgrind: $wrong with errors"
[ $wrong = 0 ]
