#!/bin/sh
# usage: restart.sh WITHY [moments]: runs of all six methods, and sweeps, killed with kill -9 at so many random moments (50)
# and gone on with: the file is that of a run that was not interrupted; prints one line.
tests=$(dirname "$1")/tests
moments=${2:-50}
"$tests/test_restart" "$moments" '*killed*' >"$tests/restart.log" 2>&1 || { cat "$tests/restart.log"; exit 1; }
"$tests/test_sweep" "$moments" '*killed*' >"$tests/restart.log" 2>&1 || { cat "$tests/restart.log"; exit 1; }
echo "$((7 * moments)) kills of runs by six methods and of sweeps: all continue to the same file"
