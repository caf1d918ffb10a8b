#!/bin/sh
# The WebAssembly module agrees with the program on a handful of cases (make agree: on all), and the playground works in
# Chromium and in Firefox: web/test/.  Skipped where clang cannot make WebAssembly (tools/setup.sh web) or a browser is
# missing.
cd "$1" || exit 1
page=$1/build/playground.html module=$1/build/wasm/withy.wasm
[ -f "$page" ] && [ -f "$module" ] || { echo "skipped: the playground was not built (make playground)"; exit 77; }
newer=$(sed -n 's/.*"node": ">= *\([0-9]*\).*/\1/p' web/package-lock.json | sort -n | tail -1)
[ "$newer" -le 18 ] || { echo "package-lock.json: a package needs Node $newer, Debian 12 has 18"; exit 1; }
node web/agree.mjs "$module" "$2/withy" cases tumbling_rod rotating_clamp pulse toggle snap_arch \
    half_turn_equilibrium michell_ring || exit 1
cd web || exit 1
code=77
for pair in chrome:chromium firefox:firefox-esr; do
    path=$(command -v "${pair#*:}") || { echo "skipped: ${pair#*:} is not installed"; continue; }
    echo "== ${pair#*:}"
    PAGE=$page WITHY=$2/withy BROWSER=${pair%:*} BROWSER_PATH=$path node --test test/ || exit 1
    [ $code -ne 77 ] || code=0
done
exit $code
