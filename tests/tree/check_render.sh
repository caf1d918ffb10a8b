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
# Shaded: a ball seen from a given place is a disc of the size that perspective gives it, clear around it; its shadow
# lies on the floor below, and the light comes from above.
expect 2 "$withy" render a.h5 -o a.png --at 11; says "from 0 to 10"
expect 2 "$withy" render a.h5 -o a.png --camera 1,2,3; says "give both"
expect 2 "$withy" render a.h5 -o a.png --camera 1,2 --look-at 0,0,0; says "X,Y,Z"
expect 2 "$withy" render a.h5 -o a.png --flat; says "only shaded pictures"
expect 2 "$withy" render a.h5 -o a.mp4 --transparent; says "only a picture"
if "$withy" render a.h5 -o a.png --size 200x150 >out 2>&1; then
    printf 'return { bodies = { { mass = 1, inertia = { 1, 1, 1 }, shape = sphere { diameter = 2 }, position = { 5, 6, 7 } } }, time = { stop = 1, output = 1 } }' >ball.lua
    printf 'return { rod = { length = 2, section = rectangle { width = 0.4, height = 0.1 }, material = { young = 1e5, poisson = 0.3, density = 100 } }, initial = { shape = straight { from = { -1, 0, 0 }, along = { 1, 0, 0 } } }, time = { stop = 1, output = 1 } }' >bar.lua
    for name in ball bar; do expect 0 "$withy" run $name.lua -o $name.h5 --quiet; done
    expect 0 "$withy" render ball.h5 -o ball.png --size 400x300 --transparent --camera 5,-4,7 --look-at 5,6,7
    expect 0 "$withy" render bar.h5 -o bar.png --size 400x300 --transparent --camera 0,0,10 --look-at 0,0,0
    for name in ball bar; do expect 0 ffmpeg -v error -i $name.png -f rawvideo -pix_fmt rgba -y $name.raw; done
    python3 - <<'PYTHON' || fail "a shaded picture is not that of its scene"
import math
W, H = 400, 300
def pixels(name):
    raw = open(name + ".raw", "rb").read()
    assert len(raw) == 4 * W * H, len(raw)
    return [[tuple(raw[4 * (y * W + x):4 * (y * W + x) + 4]) for x in range(W)] for y in range(H)]
per = H / 2 / math.tan(math.radians(17.5)) # pixels per slope
ball = pixels("ball")
solid = [(x, y) for y in range(H) for x in range(W) if ball[y][x][3] > 200]
radius = per * math.tan(math.asin(1 / 10))
assert abs(len(solid) / (math.pi * radius ** 2) - 1) < 0.03, (len(solid), radius)
assert abs(sum(x for x, _ in solid) / len(solid) - W / 2) < 1 and abs(sum(y for _, y in solid) / len(solid) - H / 2) < 1
light = lambda x, y: sum(ball[y][x][:3])
assert light(W // 2, H // 2 - int(0.6 * radius)) > 1.5 * light(W // 2, H // 2 + int(0.6 * radius))
r, g, b, _ = ball[H // 2][W // 2 - int(radius / 2)]
assert b > g > r, (r, g, b)
shade = sum(0 < ball[y][x][3] < 200 for y in range(H // 2, H) for x in range(W))
assert shade > 300, shade
assert ball[0][0][3] == 0
bar = pixels("bar") # from above: 2 m long, and as wide as its side along d1 or d2
solid = [(x, y) for y in range(H) for x in range(W) if bar[y][x][3] > 200]
wide, high = (max(p[i] for p in solid) - min(p[i] for p in solid) + 1 for i in (0, 1))
assert abs(wide / (per * 2 / 10) - 1) < 0.03, wide
assert min(abs(high / (per * s / 10) - 1) for s in (0.4, 0.1)) < 0.2, high
PYTHON
    expect 0 "$withy" render a.h5 -o o.gif --seconds 0.5 --fps 8 --size 200x150 --orbit 90 --dark --json
    film o.gif 200 150 4
    expect 0 "$withy" render a.h5 -o flat.gif --seconds 0.5 --fps 8 --size 200x150 --flat
    film flat.gif 200 150 4
    [ "$(ffmpeg -v error -i o.gif -f framemd5 - | grep -v '^#' | awk '{ print $NF }' | sort -u | wc -l)" = 4 ] || fail "the camera does not go round"
else
    says "without Embree"
fi
[ -z "$(ls temporary)" ] || fail "temporary files stayed: $(ls temporary)"
[ $failures = 0 ]
