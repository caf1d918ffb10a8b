#!/bin/sh
# withy render from the command line: a short film of each kind, and every refusal.
. "$1/tests/tree/workshop.sh"
needs_hdf5
mkdir temporary
TMPDIR=$work/temporary
export TMPDIR
film() { # film FILE WIDTH HEIGHT PICTURES
    found=$(ffprobe -v error -count_frames -select_streams v -of csv=p=0 \
        -show_entries stream=width,height,nb_read_frames "$1")
    [ "$found" = "$2,$3,$4" ] || fail "$1 has $found instead of $2,$3,$4"
}

expect 0 "$withy" run falling_rod --set time.stop=10 -o a.h5 --quiet
expect 2 "$withy" render; says "expected one result"
expect 2 "$withy" render a.h5; says "-o FILE.mp4"
expect 2 "$withy" render a.h5 -o a.avi; says "ends with .mp4 or .gif"
expect 2 "$withy" render a.h5 -o a.gif --fps 0; says "must be a number from 1 to 120"
expect 2 "$withy" render a.h5 -o a.gif --seconds long; says "must be a number from 0.1 to 3600"
expect 2 "$withy" render a.h5 -o a.gif --seconds 3600 --fps 100; says "more than 20000 pictures"
expect 2 "$withy" render a.h5 -o a.gif --plane xw; says "must be xy, xz, yz, 3d or auto"
mkdir bin
PATH=$work/bin expect 2 "$withy" render a.h5 -o a.gif; says "sudo apt-get install ffmpeg"
[ ! -e a.gif ] && [ ! -e a.gif.part ] || fail "a refusal left a file"
command -v ffprobe >/dev/null 2>&1 ||
    { echo "the films were not made: ffmpeg is not installed"; [ $failures = 0 ]; exit $?; }

expect 0 "$withy" render a.h5 -o a.mp4 --seconds 1 --fps 10 --size 321x240
film a.mp4 320 240 10 # H.264 needs even sizes
expect 0 "$withy" render a.h5 -o "a'b \`touch pwned\`.gif" --seconds 1 --fps 8 --size 320x240 --plane 3d --json
film "a'b \`touch pwned\`.gif" 320 240 8
python3 -c 'import json; r = json.load(open("out")); assert r["pictures"] == 8 and r["to"] == 10, r' || fail "--json"
[ ! -e pwned ] || fail "a file name was executed"
# more pictures than snapshots: each snapshot is drawn once and stays
expect 0 "$withy" run falling_rod --set time.stop=1 -o two.h5 --quiet
expect 0 "$withy" render two.h5 -o two.mp4 --seconds 1 --size 320x240
film two.mp4 320 240 25
# the film moves
expect 0 ffmpeg -v error -i a.mp4 -f framemd5 moves.txt
[ "$(grep -v '^#' moves.txt | awk '{ print $NF }' | sort -u | wc -l)" -ge 8 ] || fail "the film does not move"
expect 1 "$withy" render a.h5 -o /nonexistent/a.mp4; says "/nonexistent/a.mp4"
expect 2 "$withy" render nowhere.h5 -o a.mp4; says "nowhere.h5"
[ -z "$(ls temporary)" ] || fail "temporary files stayed: $(ls temporary)"
[ $failures = 0 ]
