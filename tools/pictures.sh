#!/bin/sh
# Draw the picture of every case: sh tools/pictures.sh PROGRAM [CASE...]
# A case may say how in the lines "-- solve: static" and "-- plot: ARGUMENTS" of its scene, or draw itself
# from the CSV of its run in picture.gp; one with the line "-- sound: ARGUMENTS" gets its sound.wav too.
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
    if [ -e "$root/cases/$name/picture.gp" ]; then
        "$program" export "$work/$name.h5" --csv -o "$work/$name.csv" >/dev/null
        gnuplot -e "data = '$work/$name.csv'; out = '$root/cases/$name/picture.png'" "$root/cases/$name/picture.gp"
        echo "cases/$name/picture.png"
        continue
    fi
    eval "\"$program\" plot \"$work/$name.h5\" -o \"$root/cases/$name/picture.png\" --size 1000x633 $arguments" >/dev/null
    echo "cases/$name/picture.png"
    if grep -q '^-- sound:' "$root/cases/$name/scene.lua"; then
        arguments=$(sed -n 's/^-- sound: *//p' "$root/cases/$name/scene.lua")
        eval "\"$program\" export \"$work/$name.h5\" --wav -o \"$root/cases/$name/sound.wav\" $arguments"
    fi
done
