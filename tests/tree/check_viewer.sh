#!/bin/sh
# The page of withy view in Chromium: viewer/test/.  Its tests need what npm installed when the page was built.
cd "$1/viewer" || exit 1
[ -d node_modules ] || { echo "the viewer was not built: make viewer, then make"; exit 1; }
# Debian 12 has Node 18; a package that needs a newer one would fail there, whatever this machine has
newer=$(sed -n 's/.*"node": ">= *\([0-9]*\).*/\1/p' package-lock.json | sort -n | tail -1)
[ "$newer" -le 18 ] || { echo "package-lock.json: a package needs Node $newer, Debian 12 has 18"; exit 1; }
WITHY=$2/withy exec npm test --silent
