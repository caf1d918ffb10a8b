#!/bin/sh
# The page of withy view in Chromium: viewer/test/.  Its tests need what npm installed when the page was built.
cd "$1/viewer" || exit 1
[ -d node_modules ] || { echo "the viewer was not built: make viewer, then make"; exit 1; }
WITHY=$2/withy exec npm test --silent
