#!/bin/sh
# Every case has a scene that some method accepts, a README of at least 40 words, and its picture.
# (Which methods accept it is checked in check_docs.sh, which keeps docs/conformance.md up to date.)
set -eu
for folder in "$1"/cases/*/; do
    name=$(basename "$folder")
    [ "$(wc -w < "$folder/README.md")" -ge 40 ] || { echo "$name: the README has fewer than 40 words"; exit 1; }
    grep -q 'picture\.' "$folder/README.md" || { echo "$name: the README shows no picture"; exit 1; }
    for picture in $(grep -o '(picture[^)]*)' "$folder/README.md" | tr -d '()'); do
        [ -s "$folder/$picture" ] || { echo "$name: $picture is missing (make pictures)"; exit 1; }
    done
    grep -q "^| \[$name\].*\*\*yes\*\*" "$1/docs/conformance.md" || { echo "$name: no method accepts it"; exit 1; }
done
