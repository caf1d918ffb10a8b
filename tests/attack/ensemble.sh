#!/bin/sh
# usage: ensemble.sh BUILD CALLS: 4096 members with actions at random, resets and failures, ten steps in a call
# (tests/attack/ensemble.c); prints one line for each engine.
build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
program=$(mktemp) || exit 1
trap 'rm -f "$program"' EXIT
cc -O2 -Wall -Iinclude tests/attack/ensemble.c -o "$program" -L"$build" -lwithy -lm -Wl,-rpath,"$build" || exit 1
"$program" 4096 "$2" vector
