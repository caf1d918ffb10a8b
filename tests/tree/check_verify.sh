#!/bin/sh
# Every number of the sources is reproduced; the table in the README and the list of rows are up to date.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# without gnuplot the report has no pictures, which take a quarter of the time: check_report draws some
PATH=/nowhere "$2/withy" verify --report "$work/report" > "$work/out" 2>&1
status=$?
tail -1 "$work/out"
[ $status = 0 ] || { grep -B1 -A1 FAIL "$work/out"; exit 1; }
cp "$1/README.md" "$work/README.md"
sh "$1/tools/readme.sh" "$work/report/summary.md" "$work/README.md" || exit 1
diff -u "$1/README.md" "$work/README.md" || { echo "run make report"; exit 1; }
python3 "$1/tools/rows.py" --check "$work/report/report.json" || { echo "run make report"; exit 1; }
