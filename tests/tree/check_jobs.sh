#!/bin/sh
# Every job of docs/jobs.md, every block of docs/asked.md and the example of docs/springs.md work as written; there are at least twenty.
"$2/withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed"; exit 0; }
[ "$(grep -c '^## [0-9]' "$1/docs/jobs.md")" -ge 20 ] || { echo "docs/jobs.md has fewer than twenty jobs"; exit 1; }
python3 "$1/tools/tutorial.py" "$2/withy" --page docs/jobs.md || exit 1
python3 "$1/tools/tutorial.py" "$2/withy" --page docs/asked.md || exit 1
exec python3 "$1/tools/tutorial.py" "$2/withy" --page docs/springs.md
