#!/bin/sh
# Files that a scene reads, and streams that end: a scene reads nothing outside its folder and no more than it may, a
# result names no folder to read from, and who stops listening stops no run.
. "$1/tests/tree/workshop.sh"
needs_hdf5
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 0; }
grep -q __asan_init "$withy" && asan=1 || asan=

rod='rod = { length = 1, radius = 0.005, stiffness = { bend = 1 }, inertia = { mass = 1 } }, initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
 ends = { start = clamped {} }, contact = { stiffness = 1e6 }, time = { stop = 0.02, output = 0.01 }, probes = { tip = { at = 1, what = "position" } }, method = "director", options = { n = 4 }'
tetrahedron() { # of 1 m, as text
    echo "solid"
    for face in "0 0 0 0 1 0 1 0 0" "0 0 0 1 0 0 0 0 1" "1 0 0 0 1 0 0 0 1" "0 1 0 0 0 0 0 0 1"; do
        # shellcheck disable=SC2086
        set -- $face
        echo "facet normal 0 0 0 outer loop vertex $1 $2 $3 vertex $4 $5 $6 vertex $7 $8 $9 endloop endfacet"
    done
    echo "endsolid"
}
mesh_scene() { echo "return { $rod, obstacles = { mesh { file = \"$1\", point = { 5, 5, 5 } } } }"; }
table_scene() { echo "local m = table \"$1\" return { $rod, gravity = { 0, 0, m[1][2] } }"; }

# ---- within the folder: plain names, folders, and no links in any part --------------------------------------------
mkdir -p scene/parts/deep secret
tetrahedron >secret/s.stl; tetrahedron >scene/t.stl; tetrahedron >scene/parts/deep/t.stl
printf 't,g\n0,-1\n' | tee secret/s.csv >scene/m.csv
ln -s ../secret scene/out; ln -s ../../secret scene/parts/out; ln -s ../secret/s.stl scene/link.stl; ln -s ../secret/s.csv scene/link.csv
ln -s deep scene/parts/same
mkfifo scene/pipe.stl scene/pipe.csv
ln -s "$work/scene" way # the folder of the scene itself may be reached through a link
for name in t.stl parts/deep/t.stl ./t.stl parts/./deep//t.stl; do
    mesh_scene "$name" >scene/a.lua
    expect 0 "$withy" check scene/a.lua
    expect 0 "$withy" check way/a.lua
    (cd scene && "$withy" check a.lua >/dev/null 2>&1) || fail "$name in the folder of the scene is not read"
done
for name in out/s.stl parts/out/s.stl link.stl parts/same/t.stl pipe.stl parts ../secret/s.stl parts/../../secret/s.stl "$work/secret/s.stl" nowhere/t.stl t.stl/x.stl; do
    mesh_scene "$name" >scene/a.lua
    expect 2 timeout 600 "$withy" check scene/a.lua
    says "scene/a.lua"
done
table_scene m.csv >scene/a.lua; expect 0 "$withy" check scene/a.lua
for name in link.csv pipe.csv out parts/m.csv ../secret/s.csv; do
    table_scene "$name" >scene/a.lua
    expect 2 timeout 600 "$withy" check scene/a.lua
    says "table"
done

# ---- a result that continues reads below the current folder or its own, and nowhere else --------------------------------
mkdir -p home/scenes elsewhere
cp scene/m.csv home/scenes; table_scene m.csv >home/scenes/a.lua
(cd home && "$withy" run scenes/a.lua -q -o a.h5 --checkpoint 60) || fail "no result with a state"
cp home/a.h5 home/b.h5
(cd home && "$withy" run --resume b.h5 --set time.stop=0.03 -q) || fail "a result does not continue where it was made"
cp home/a.h5 home/b.h5
(cd elsewhere && "$withy" run --resume ../home/b.h5 --set time.stop=0.03 -q >../out 2>../err) && fail "a table was read below another folder"
says "table"
set_name() { /usr/bin/python3 -c '
import sys, h5py, numpy
with h5py.File(sys.argv[1], "r+", libver="latest") as f:
    del f.attrs["scene_name"]
    f.attrs["scene_name"] = numpy.bytes_(sys.argv[2].encode())' "$1" "$2"; }
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    cp scene/m.csv secret; cp home/scenes/a.lua secret; mkfifo secret/p.lua home/p.lua; ln -s ../secret home/out
    for name in "$work/secret/a.lua" ../secret/a.lua out/a.lua "$work/secret/p.lua" p.lua scenes/../../secret/a.lua; do
        cp home/a.h5 home/b.h5; set_name home/b.h5 "$name"
        (cd home && timeout 600 "$withy" run --resume b.h5 --set time.stop=0.03 -q >../out 2>../err)
        got=$?
        [ $got = 2 ] || [ $got = 1 ] || fail "status $got for the scene name $name"
        says "table"
    done
    cp home/a.h5 home/b.h5; set_name home/b.h5 "$work/home/scenes/a.lua" # the same folder by its whole path
    (cd home && "$withy" run --resume b.h5 --set time.stop=0.03 -q >../out 2>../err) || fail "the whole path of the same folder: $(cat err)"
fi

# ---- all files together are bounded -------------------------------------------------------------------------------
bounded() { [ -n "$asan" ] || ulimit -v 1500000; }
head -c 30000000 /dev/zero | tr '\0' '#' >scene/big.csv
printf '\nt,g\n0,-1\n' >>scene/big.csv
echo "local m for i = 1, 200 do m = table \"big.csv\" end return { $rod, gravity = { 0, 0, m[1][2] } }" >scene/a.lua
( bounded; timeout 600 "$withy" check scene/a.lua ) >out 2>err; got=$?
[ $got = 2 ] || fail "200 tables of 30 MB: status $got: $(cat err)"
says "256 MiB together"
echo "local m for i = 1, 5 do m = table \"big.csv\" end return { $rod, gravity = { 0, 0, m[1][2] } }" >scene/a.lua
( bounded; timeout 600 "$withy" check scene/a.lua ) >out 2>err || fail "five tables of 30 MB are refused: $(cat err)"
echo "local m for i = 1, 2000 do m = table \"m.csv\" end return { $rod, gravity = { 0, 0, m[1][2] } }" >scene/a.lua
expect 2 "$withy" check scene/a.lua; says "at most 1000"
# a strip of n triangles, each of the next point, as OBJ
python3 -c '
n = 300000
with open("scene/strip.obj", "w") as f:
    f.write("".join(f"v {i} {i % 2} {i % 3}\n" for i in range(n + 2)))
    f.write("".join(f"f {i + 1} {i + 2} {i + 3}\n" for i in range(n)))
with open("scene/dust.obj", "w") as f:
    f.write("v 0 0 0\n" * 3100000 + "f 1 2 3\n")'
many=$(python3 -c 'print(", ".join("mesh { file = \"strip.obj\", point = { %d, 0, 0 } }" % (10 * i) for i in range(10)))')
echo "return { $rod, obstacles = { $many } }" >scene/a.lua
( timeout 600 "$withy" check scene/a.lua ) >out 2>err; got=$?
[ $got = 2 ] || fail "ten meshes of 300000 triangles: status $got: $(cat err)"
says "together"
echo "return { $rod, obstacles = { mesh { file = \"dust.obj\" }, mesh { file = \"dust.obj\" } } }" >scene/a.lua
( timeout 600 "$withy" check scene/a.lua ) >out 2>err; got=$?
[ $got = 2 ] || fail "points without triangles: status $got: $(cat err)"
rm -f scene/big.csv scene/*.obj

# ---- who listens goes away: the run is finished, a message says that not all was printed -----------------------------
echo "return { $rod }" >one.lua
deaf() { # deaf command...: into a pipe that nobody reads, both streams; its status is printed
    python3 -c '
import os, signal, subprocess, sys
nobody, pipe = os.pipe()
os.close(nobody)
print(subprocess.run(sys.argv[1:], stdout=pipe, stderr=pipe, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL)).returncode)' "$@"
}
for output in o.h5 o.csv o.pvd; do
    got=$(deaf "$withy" run one.lua -o "$output")
    [ "$got" = 1 ] || fail "run -o $output into a closed pipe: status $got"
    [ -s "$output" ] || fail "run into a closed pipe leaves no $output"
done
"$withy" plot o.h5 --shapes -q -o a.svg 2>/dev/null && {
    got=$(deaf "$withy" plot o.h5 --shapes -o b.svg)
    [ "$got" -le 1 ] && [ -s b.svg ] || fail "plot into a closed pipe: status $got"
}
got=$(deaf "$withy" sweep one.lua --over options.n=4,6 -w finish.z -o s.h5); [ "$got" = 1 ] && [ -s s.h5 ] || fail "sweep into a closed pipe: status $got"
got=$(deaf "$withy" static one.lua -o e.h5); [ "$got" -le 1 ] && [ -s e.h5 ] || fail "static into a closed pipe: status $got"
"$withy" run one.lua -o p.h5 2>err | head -1 >out; [ -s p.h5 ] || fail "run | head -1 leaves no result"
[ -z "$(find . -name '*part-*')" ] || fail "left behind: $(find . -name '*part-*')"

# ---- memory that is almost enough: a message, and no crash inside HDF5, which has none of its own --------------------
if [ -z "$asan" ]; then
    "$withy" run one.lua -q -o state.h5 --checkpoint 60 || fail "no result with a state"
    limit=40000
    until (ulimit -v $limit; "$withy" -V) >/dev/null 2>&1 || [ $limit -gt 2000000 ]; do limit=$((limit + 2000)); done
    for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        cp state.h5 again.h5
        (ulimit -v $((limit + 737 * k)); "$withy" run --resume again.h5 --set time.stop=0.03 -q) >out 2>err
        got=$?
        [ $got -le 2 ] || fail "status $got with $((737 * k)) KiB more than withy -V needs: $(cat err)"
        [ $got = 0 ] || grep -q '^withy: ' err || fail "status $got without a message, with $((737 * k)) KiB"
    done
fi

# ---- a picture whose folder goes while it is drawn --------------------------------------------------------------------
if real=$(command -v gnuplot); then
    mkdir bin gone
    printf '#!/bin/sh\nrm -rf "%s/gone"\nexec "%s" "$@"\n' "$work" "$real" >bin/gnuplot
    chmod +x bin/gnuplot
    TMPDIR=$work PATH=$work/bin:$PATH "$withy" plot o.h5 --shapes -q -o gone/a.svg >out 2>err && fail "a picture without a folder succeeded"
    says "gone/a.svg"
    kept=$(ls withy-*-a.svg 2>/dev/null)
    [ -s "$kept" ] || fail "the picture is lost"
fi
[ $failures = 0 ]
