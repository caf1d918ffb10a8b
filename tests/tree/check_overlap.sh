#!/bin/sh
# No text of a picture lies over another, is cut by the edge or is too faint to read: every kind of panel, on large pages and on small ones, boxes
# as a browser sets the letters (viewer/test/overlap.mjs).
. "$1/tests/tree/workshop.sh"
needs_hdf5
[ -d "$1/viewer/node_modules" ] || fail "the viewer was not built: make viewer, then make"
expect 0 "$withy" run falling_rod --set time.stop=10 -o a.h5
expect 0 "$withy" run satellite --set time.stop=0.3 -o b.h5
expect 0 "$withy" modes cantilever_frequencies -o m.h5
expect 0 "$withy" static heavy_cantilever -o h.h5
draw() { # draw NAME ARGUMENTS...
    name=$1
    shift
    expect 0 "$withy" plot "$@" -o "$name.svg"
}
draw whole a.h5
draw panels a.h5 --shapes --energy --probes --ledger --profile moment
draw grid a.h5 --frames-grid 6
draw space a.h5 --view3d
draw parts b.h5
draw modes m.h5
draw path h.h5
draw middle a.h5 --size 640x480
draw small a.h5 --size 420x300
draw parts_small b.h5 --size 420x300
draw thumbnail a.h5 --energy --size 320x220
draw minus a.h5 --minus a.h5
draw what a.h5 a.h5 --what finish.z --what kinetic --what finish.velocity --what s=3.3.moment.norm --dark
draw dark a.h5 --shapes --energy --probes --ledger --profile moment --dark
expect 0 "$withy" compare heavy_cantilever --methods director,cheb --accuracy 1e-2 -o compare.svg
expect 0 "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3:8 --want force.start.z -o sweep.h5 -q
expect 0 "$withy" run capstan --set time.stop=0.02 -o touch.h5 -q
draw contacts touch.h5 --contacts --what contacts.push --what contacts --what contacts.gap
draw sweep sweep.h5 --dark
expect 0 "$withy" run violin_a_string --set options.n=18 --set options.order=2 --set time.stop=0.05 -o string.h5 -q
draw spectrum string.h5 --spectrum bridge --dark
draw growth a.h5 --growth --dark
fit=$1/examples/fit
if "$withy" fit "$fit/helix.lua" --data "$fit/helix.csv" --free params.young --sigma 5e-4 -o fit.svg --dark -q 2>err; then
    grep -q 'fill="#14181d"' fit.svg || fail "withy fit --dark is not dark"
else
    grep -q "no cminpack" err || fail "$(cat err)"
fi
node "$1/viewer/test/overlap.mjs" ./*.svg || fail "see above"
[ $failures = 0 ]
