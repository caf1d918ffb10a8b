#!/bin/sh
# Draw the picture of every case: sh tools/pictures.sh PROGRAM [CASE...]
# How is set by the directives of its scene, or by its own picture.gp: docs/adding_a_case.md.
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
    with=$(sed -n 's/^-- with: *//p' "$root/cases/$name/scene.lua")
    "$program" ${verb:-run} "$root/cases/$name/scene.lua" -o "$work/$name.h5" --quiet $with
    draw() { # PICTURE ARGUMENTS [RESULT...]
        picture=$1 how=$2
        shift 2
        eval "\"$program\" plot \"\$@\" -o \"$root/cases/$name/$picture.png\" --size 1000x633 $how" >/dev/null
        echo "cases/$name/$picture.png"
    }
    if [ -e "$root/cases/$name/picture.gp" ]; then
        "$program" export "$work/$name.h5" --csv -o "$work/$name.csv" >/dev/null
        gnuplot -e "data = '$work/$name.csv'; out = '$root/cases/$name/picture.png'" "$root/cases/$name/picture.gp"
        echo "cases/$name/picture.png"
    else
        draw picture "$arguments" "$work/$name.h5"
    fi
    sed -n 's/^-- plot \([a-z_]*\): *\(.*\)/\1 \2/p' "$root/cases/$name/scene.lua" |
        while read -r more how; do
            set --
            swept=$(sed -n "s/^-- sweep $more: *//p" "$root/cases/$name/scene.lua")
            if [ -n "$swept" ]; then
                "$program" sweep "$root/cases/$name/scene.lua" -o "$work/$name.$more.h5" --quiet $swept </dev/null
                set -- "$work/$name.$more.h5"
            fi
            sed -n "s/^-- with $more: *//p" "$root/cases/$name/scene.lua" > "$work/with"
            while read -r line; do
                result=$work/$name.$more.$#.h5
                "$program" ${verb:-run} "$root/cases/$name/scene.lua" -o "$result" --quiet $line </dev/null
                set -- "$@" "$result"
            done < "$work/with"
            [ $# -gt 0 ] || set -- "$work/$name.h5"
            draw "picture_$more" "$how" "$@"
        done
    if grep -q '^-- sound:' "$root/cases/$name/scene.lua"; then
        arguments=$(sed -n 's/^-- sound: *//p' "$root/cases/$name/scene.lua")
        eval "\"$program\" export \"$work/$name.h5\" --wav -o \"$root/cases/$name/sound.wav\" $arguments"
    fi
done
