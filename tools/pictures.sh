#!/bin/sh
# Draw the picture of every case: sh tools/pictures.sh PROGRAM [CASE...]
# A case may say how in the lines "-- solve: static" and "-- plot: ARGUMENTS" of its scene.
set -eu
program=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- $(cd "$root/cases" && ls)
for name in "$@"; do
    arguments=$(sed -n 's/^-- plot: *//p' "$root/cases/$name/scene.lua")
    verb=$(sed -n 's/^-- solve: *//p' "$root/cases/$name/scene.lua")
    "$program" ${verb:-run} "$root/cases/$name/scene.lua" -o "$work/$name.h5" --quiet
    eval "\"$program\" plot \"$work/$name.h5\" -o \"$root/cases/$name/picture.png\" --size 1000x633 $arguments" >/dev/null
    echo "cases/$name/picture.png"
done
