#!/bin/sh
# Every command of docs/tutorial.md works as written.
"$2/withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 0; }
exec python3 "$1/tools/tutorial.py" "$2/withy"
