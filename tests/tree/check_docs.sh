#!/bin/sh
# The generated pages are up to date (make docs writes them).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$1/tools/docs.sh" "$2/withy" "$work"
for page in "$work"/*.md; do
    diff -u "$1/docs/$(basename "$page")" "$page" || { echo "run make docs"; exit 1; }
done
