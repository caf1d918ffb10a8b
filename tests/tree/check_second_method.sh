#!/bin/sh
# A method is one file and one line: copy the tree, add both, build, run it by name.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | tar xf - -C "$work"
mkdir -p "$work/src/method/still" && cp "$source/tests/tree/method_still.c" "$work/src/method/still/still.c"
echo 'WY_METHOD(still) /* holds still */' >> "$work/src/method/list.inc"
cmake -S "$work" -B "$work/b" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O0 -w" -DWITHY_TESTS=OFF >/dev/null
cmake --build "$work/b" -j 2 --target withy >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
"$work/b/withy" list methods still | grep -q "holds still"
"$work/b/withy" run falling_rod --method still -o "$work/still.csv" >/dev/null
grep -q . "$work/still.csv"
