#!/bin/sh
# Results and names from strangers: their texts are shown or refused with a message; nothing is executed, and no
# control character of theirs reaches the terminal.
. "$1/tests/tree/workshop.sh"
needs_hdf5
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 0; }
mkdir "temporary%06d"
TMPDIR=$work/temporary%06d # ffmpeg would count with it
export TMPDIR
shown() { # shown command...: it works, or refuses with a message; either way in plain characters
    "$@" >out 2>err
    got=$?
    [ $got = 0 ] || { [ $got -le 2 ] && grep -q '^withy: ' err; } || fail "status $got without a message: $*: $(cat err)"
    plain "$*"
}
plain() {
    cat out err | tr -d '\n' | LC_ALL=C grep -q '[[:cntrl:]]' && fail "a control character is printed by $*"
    /usr/bin/python3 -c 'open("out", encoding="utf8").read(); open("err", encoding="utf8").read()' || fail "no UTF-8 from $*"
}
innocent() { # innocent WHEN: nothing was executed
    [ -z "$(find . -name 'PWN*')" ] || fail "a command was executed by $*: $(find . -name 'PWN*')"
}

cat > good.lua <<'LUA'
return {
  title = "good",
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, probes = { tip = { at = 1, what = "position" } }, path = { to = 1, steps = 4 }, time = { stop = 0.01 },
}
LUA
expect 0 "$withy" static good.lua -q -o good.h5

# one result per text, the text in every place that holds one
/usr/bin/python3 - <<'PY' || fail "the hostile results could not be made"
import shutil, h5py, numpy
TEXTS = [
    "t'\nsystem('touch PWN')\n#", "t' ; system('touch PWN') #", "`touch PWN`'.`touch PWN`.\"`touch PWN`\"$(touch PWN)",
    "\"; system(\"touch PWN\") #\\", "\\'; system('touch PWN') #", "t [s'; system('touch PWN') #]", "EOD\nsystem('touch PWN')",
    "</script><script>document.title='PWN'</script><!--<script>", "\u2028\u2029\u202ea\u2066%s%n{/=90 y}^_&\u009b31m",
    "\x1b]0;PWN\x07\x1b[2J\x7f\x08\r", b"\xff\xfe\xc3\x28\xed\xa0\x80'\xc3",
]

def fixed(text):
    return numpy.bytes_(text if isinstance(text, bytes) else text.encode())

def spoil(thing, text):
    for name in ("axis", "title", "method", "version", "scene_name", "name", "section"):
        if name in thing.attrs:
            del thing.attrs[name]
            thing.attrs[name] = fixed(text)

for number, text in enumerate(TEXTS):
    shutil.copy("good.h5", f"h{number}.h5")
    with h5py.File(f"h{number}.h5", "r+", libver="latest") as f:
        spoil(f, text)
        f.visititems(lambda _, thing: spoil(thing, text))
        for name in ("status", "scene", "notes"):
            del f[name]
            f[name] = fixed(text)
shutil.copy("h7.h5", "what.h5")
with h5py.File("what.h5", "r+", libver="latest") as f:
    f["probes/tip"].attrs["what"] = fixed("</script><script>'\nsystem('touch PWN')")
shutil.copy("good.h5", "lost.h5")
with h5py.File("lost.h5", "r+", libver="latest") as f:
    del f["rod1/position"], f["rod1/check"] # else a row without it would have a wrong checksum

def hostile(name):
    shutil.copy("good.h5", name + ".h5")
    return h5py.File(name + ".h5", "r+", libver="latest")

with hostile("loose") as f: # a text of variable length
    del f["scene"]
    f["scene"] = "return {}"
with hostile("outside") as f: # the numbers of another file
    del f["rod1/position"]
    f["rod1/position"] = h5py.ExternalLink("good.h5", "rod1/position")
with hostile("soft") as f:
    del f["rod1/s"]
    f["rod1/s"] = h5py.SoftLink("/time")
with hostile("storage") as f: # any file of the user as numbers
    del f["rod1/s"]
    f.create_dataset("rod1/s", (2,), "<f8", external=[("/etc/passwd", 0, 16)])
with hostile("virtual") as f: # numbers that refer to themselves
    shape = f["rod1/position"].shape
    del f["rod1/position"]
    layout = h5py.VirtualLayout(shape, "<f8")
    layout[...] = h5py.VirtualSource(".", "rod1/position", shape)
    f.create_virtual_dataset("rod1/position", layout)
with hostile("packed") as f: # 8 GB of zeros in some bytes
    del f["rod1/position"]
    f.create_dataset("rod1/position", (5, 10**9), "<f8", chunks=(1, 10**6), maxshape=(None, 10**9), compression="gzip")
with hostile("sparse") as f: # stations without end
    del f["rod1/s"]
    f.create_dataset("rod1/s", (10**8,), "<f8")
with hostile("wrong") as f: # one number changed
    f["rod1/position"][2, 1, 0] += 1
with h5py.File("user.h5", "w", libver="latest", userblock_size=512) as f:
    f.attrs["format"] = fixed("withy 2")
with h5py.File("old.h5", "w", libver="latest") as f:
    f.attrs["format"] = "withy 1"
PY
mkfifo pipe.h5
# a gigabyte of memory at most; the address sanitizer takes more for itself
grep -q __asan_init "$withy" && bounded() { :; } || bounded() { ulimit -v 1000000; }
for row in "loose:scene cannot be read: it is not a text of fixed length" "outside:another place" "soft:another place" "storage:another file" \
    "virtual:as withy does" "packed:compressed" "sparse:other sizes" "wrong:row 3 has a wrong checksum" "user:not a result file of withy" \
    "old:was written by withy 0.2.0 or older" "pipe:not a regular file"; do
    for command in "export --csv -o x.csv" "view -o x.html" "plot --shapes -o x.svg" "plot --spectrum tip -o x.svg"; do
        ( bounded; timeout 900 "$withy" ${command%% *} ${row%%:*}.h5 ${command#* } >out 2>err )
        got=$?
        [ $got = 1 ] || [ $got = 2 ] || fail "${row%%:*}.h5: status $got of $command"
        case $command in export*) says "${row#*:}" ;; esac
    done
done

for k in 0 1 2 3 4 5 6 7 8 9 10; do
    expect 0 "$withy" plot h$k.h5 --shapes --energy --probes -o p.svg; plain "plot of text $k"
    /usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("p.svg")' || fail "text $k: the picture is no SVG"
done
for k in 0 1 2 4 9; do shown "$withy" plot h$k.h5 --frames-grid 3 -o g.png; done
shown "$withy" plot what.h5 --probes
shown "$withy" plot what.h5 --spectrum "$(printf '\033[31m')"
shown "$withy" export h9.h5 --csv -o h9.csv
shown "$withy" plot lost.h5
shown "$withy" view lost.h5 -o lost.html; says "no positions"
[ ! -e lost.html ] || fail "a refused page was written"
expect 0 "$withy" view h0.h5 h2.h5 h7.h5 h8.h5 h9.h5 h10.h5 -o v.html
shown "$withy" view what.h5 -o w.html
/usr/bin/python3 - <<'PY' || fail "the page"
import json, os, re
for name in ("v.html", "w.html"):
    if not os.path.exists(name):
        continue
    page = open(name, encoding="utf8", newline="").read()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    assert not re.search("[<>&\x00-\x1f\x7f-\x9f\u2028\u2029]", data), "not escaped"
    runs = json.loads(data)["runs"]
    assert "</script><script>" in {r["rods"][0]["section"]["kind"][:17] for r in runs}
    assert page.count("PWN") == data.count("PWN"), "a text stands outside the data"
PY
innocent "a text"

# names
cp h0.h5 "a' ; system('touch PWN') #\`touch PWN\`.h5"
mkdir "|touch PWN.d"
for name in "|touch PWN_pipe;.svg" "-o.svg" "--json.svg" "a'b\"; system('touch PWN').svg" '`touch PWN`.svg' 'c%06d\.svg' "$(printf 'd\ne\033[31m').svg"; do
    expect 0 "$withy" plot good.h5 --shapes --output="$name"; plain "the name $name"
    [ -s "./$name" ] || fail "no picture under the name $name"
    rm -f "./$name"
done
cp good.h5 ./-g.h5
expect 0 "$withy" plot --shapes -- -g.h5; [ -s ./-g.svg ] || fail "no picture of -g.h5"
expect 0 "$withy" plot "./a' ; system('touch PWN') #\`touch PWN\`.h5" --shapes
expect 0 "$withy" view "./a' ; system('touch PWN') #\`touch PWN\`.h5" --output="|touch PWN.d/-v.html"
scene="x' ; system('touch PWN') #.lua"
cp good.lua "$scene"
for name in "-c'; system('touch PWN') #.svg" "|touch PWN_pipe;.png"; do
    shown "$withy" compare "$scene" --static --methods director,se3 --refine 1 --accuracy 0.5 --output="$name"
    [ -s "./$name" ] || fail "no comparison under the name $name: $(cat err)"
    rm -f "./$name"
done
shown "$withy" compare "$scene" --static --methods director,se3 --refine 1 --accuracy 0.5 -o nowhere/c.svg
[ $got = 1 ] || fail "compare succeeded without its picture"
says "nowhere/c.svg: cannot be written: No such file or directory; make its folder first"
if command -v ffmpeg >/dev/null 2>&1; then
    for name in "-f%06d'; touch PWN.gif" "|touch PWN_pipe;.mp4"; do
        expect 0 "$withy" render h1.h5 --output="$name" --seconds 0.2 --fps 10 --size 200x150 --quiet
        [ -s "./$name" ] || fail "no film under the name $name"
        rm -f "./$name"
    done
fi
rm -rf "./|touch PWN.d" "./a' ; system('touch PWN') #\`touch PWN\`".* "./$scene"
innocent "a name"

# a picture that fails leaves the old one; nothing is left next to it
echo old > kept.svg
( ulimit -f 2; shown "$withy" plot good.h5 -o kept.svg; [ $got != 0 ] ) 2>/dev/null || fail "a picture cut short was kept"
[ "$(cat kept.svg)" = old ] || fail "the old picture is gone"
[ -z "$(find . -name '*part-*'; ls "$TMPDIR")" ] || fail "left behind: $(find . -name '*part-*'; ls "$TMPDIR")"

# a closed standard stream is not taken by the next file that is opened
"$withy" plot good.h5 --shapes --quiet -o closed.svg <&- >&- 2>&- || fail "a picture needs a standard stream"
/usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("closed.svg")' || fail "closed.svg is no SVG"
"$withy" run good.lua -o closed.h5 >&- 2>err && fail "printing to a closed stream succeeded"
expect 0 "$withy" plot closed.h5 --shapes -o closed.svg

# a scene's error
printf 'error("\\27]0;PWN\\7\\27[2J")\n' > escape.lua
shown "$withy" check escape.lua
shown "$withy" run "$(printf 'no\033[31mwhere.lua')"
shown "$withy" "$(printf '\033[31m')"
[ $failures = 0 ]
