#!/bin/sh
# Sixty mistakes of newcomers each get one message: the place, the value, what is allowed, what to do.
"$2/withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
"$2/withy" check falling_rod >/dev/null 2>&1 || { echo "skipped: built without Lua"; exit 0; }
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 0; }
exec python3 "$1/tests/message/mistakes.py" "$2/withy"
