#!/bin/sh
# Put the summary of `withy verify --report DIR` into the README, between its markers:
# sh tools/readme.sh DIR/summary.md [README.md]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
page=${2:-$root/README.md}
new=$(mktemp)
trap 'rm -f "$new"' EXIT
grep -q '^<!-- verify:begin -->$' "$page" && grep -q '^<!-- verify:end -->$' "$page" ||
    { echo "readme: $page has no markers verify:begin and verify:end" >&2; exit 1; }
awk -v summary="$1" '
    /^<!-- verify:end -->$/ { inside = 0 }
    !inside { print }
    /^<!-- verify:begin -->$/ { inside = 1; while ((getline line < summary) > 0) print line }
' "$page" > "$new"
cmp -s "$new" "$page" || cat "$new" > "$page"
