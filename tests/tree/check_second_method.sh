#!/bin/sh
# A method is one file and one line; a force of a field and a section law in director one file and one row each, a law of
# contact likewise; a quantity of results one file and one row; a scene key one row (and its field), which every method
# refuses until one claims it, and which a saved state has; a capability one row, and the row that asks for it; a kind of end an
# enumerator, a row and its constructor: copy the tree, add all, build, run.  The tree is built as a part of another
# project: add_subdirectory.
set -eu
source=$1 plain=$2/withy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$source" && tar cf - --exclude=./build --exclude=./.git --exclude=node_modules .) | tar xf - -C "$work"
mkdir -p "$work/src/method/frozen"
cp "$source/tests/tree/method_frozen.c" "$work/src/method/frozen/frozen.c"
echo 'WY_METHOD(frozen) /* never moves */' >> "$work/src/method/list.inc"
# a note: a row, and the method raises it
echo 'NOTE(toy, "%s: holds %d nodes frozen", "method nodes", "A toy.")' >> "$work/src/base/note.inc"
sed -i 's|^    \*out = x;|    wy_note(setup->notes, WY_NOTE(toy), "frozen", x->n + 1);\n&|' "$work/src/method/frozen/frozen.c"
# one that claims nothing
mkdir -p "$work/src/method/bare"
sed 's/frozen/bare/g; s/WY_CAN_LOADED/0/' "$source/tests/tree/method_frozen.c" >"$work/src/method/bare/bare.c"
echo 'WY_METHOD(bare)' >> "$work/src/method/list.inc"
cp "$source/tests/tree/force_toy.c" "$work/src/method/director/force/force_toy.c"
echo 'WY_FORCE(toy)' >> "$work/src/method/director/force/force.inc"
cp "$source/tests/tree/contact_toy.c" "$work/src/contact/law_toy.c"
echo 'WY_CONTACT_LAW(toy, "a toy")' >> "$work/src/contact/law.inc"
cp "$source/tests/tree/law_toy.c" "$work/src/method/director/law/law_toy.c"
echo 'WY_LAW(toy, "rod.toy")' >> "$work/src/method/director/law/law.inc"
cp "$source/tests/tree/find_toy.c" "$work/src/observe/find_toy.c"
sed -i 's|^FOUND(tension,|FOUND(toy, 1, WITHY_HAVE_POSITION, "m", NULL, "a toy")\n&|' "$work/src/observe/quantity.inc"
grep -q '^FOUND(toy' "$work/src/observe/quantity.inc"
# the field, and the row
sed -i 's|^    double tension;  |    double toy; /* a toy [-] */\n    double tension;  |' "$work/include/withy/problem.h"
grep -q 'double toy' "$work/include/withy/problem.h"
sed -i 's|^KEY("rod", "tension",|KEY("rod", "toy", NUMBER, ROD(toy), ANY, "", "0", OWN, "a toy")\n&|' "$work/src/model/schema/schema.inc"
# a capability: a row, the row of the schema that asks for it, and a method that claims it
echo 'CAN(TOKEN, "tokens")' >> "$work/src/model/schema/capability.inc"
sed -i 's|^    double toy; |    double token; /* [-] */\n&|' "$work/include/withy/problem.h"
sed -i 's|^KEY("rod", "toy",|KEY("rod", "token", NUMBER, ROD(token), ANY, "", "0", TOKEN, "a token")\n&|' "$work/src/model/schema/schema.inc"
sed -i 's/WY_CAN_LOADED/WY_CAN_LOADED | WY_CAN(TOKEN)/' "$work/src/method/frozen/frozen.c"
# another, of a body: a function of time, which no method claims
sed -i 's|^    double size\[3\];  |    withy_field toy; /* a toy, f(t) [-] */\n&|' "$work/include/withy/problem.h"
grep -q 'withy_field toy' "$work/include/withy/problem.h"
sed -i "s|^KEY(\"body\", \"loads\",|KEY(\"body\", \"toy\", NUMBER_FIELD('t'), BODY(toy), ANY, \"\", \"0\", OWN, \"a toy\")\n&|" "$work/src/model/schema/schema.inc"
# a kind of end that is held along one direction
sed -i 's|^    WITHY_END_ROLLER,.*|&\n    WITHY_END_SKATE, /* position given along `along` only */|' "$work/include/withy/problem.h"
echo 'END_KIND(SKATE, 1, 0)' >> "$work/src/model/load/end.inc"
sed -i 's|^GROUP("free", "end"|GROUP("skate", "end", WITHY_END_SKATE, NULL, "skate", ROLLER, "A toy.")\n&|
    s|^HELD_POSITION("clamped")|KEY("skate", "along", DIRECTION, END(along), ANY, "", "that of the initial shape", SAME, "a toy")\n&|' \
    "$work/src/model/schema/schema.inc"
# the studies play no part in it: one source of them is enough
find "$work/studies" -name 'verify_*.c' ! -name verify_mutations.c -delete
echo 'VERIFY(mutations)' >"$work/studies/verify_list.inc"
# built as a part of another project (add_subdirectory), whose program is the example of the library
mkdir "$work/user"
cat >"$work/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
set_property(GLOBAL PROPERTY RULE_MESSAGES OFF)
add_subdirectory(.. withy)
add_executable(user ../examples/record.c)
add_executable(key ../tests/tree/key_toy.c)
target_link_libraries(user withy::withy_static)
target_link_libraries(key withy::withy_static)
END
cmake -S "$work/user" -B "$work/b" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O0 -w" -DWITHY_PROGRAM=ON -DWITHY_NATIVE=ON >/dev/null
cmake --build "$work/b" -j 2 --target withy user key >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
withy=$work/b/withy/withy
"$work/b/user" "$work/user.h5" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
"$withy" export "$work/user.h5" --csv >/dev/null
"$withy" list methods frozen | grep -q "never moves"
"$withy" run falling_rod --method frozen -o "$work/frozen.csv" >/dev/null
grep -q . "$work/frozen.csv"
"$withy" list notes toy | grep -q '"{method}: holds {nodes} nodes frozen"'
"$withy" run falling_rod --method frozen --set options.n=7 -o "$work/noted.csv" --json |
    python3 -c 'import json, sys; print(next(n["values"]["nodes"] for n in json.load(sys.stdin)["notes"] if n["id"] == "toy"))' | grep -qx 8
# a method that claims nothing takes a bare rod, and refuses all else with a true message
cat >"$work/bare.lua" <<'END'
return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, time = { stop = 1 }, method = "bare" }
END
"$withy" run "$work/bare.lua" -o "$work/bare.csv" >/dev/null
status=0
"$withy" run falling_rod --method bare -o "$work/no.csv" >"$work/out" 2>&1 || status=$?
[ "$status" = 2 ] && grep -q "bare: does not support gravity; use director, elastica" "$work/out" || { cat "$work/out"; exit 1; }
# the reference page lists the key, the reader accepts it, every method but the one that claims it refuses
"$withy" list scene | grep -q '`toy`'
for method in elastica se3 kirchhoff fdtd cheb; do
    status=0
    "$withy" run falling_rod --method "$method" --set rod.toy=1 -o "$work/no.csv" >"$work/out" 2>&1 || status=$?
    [ "$status" = 2 ] || { echo "$method: status $status with rod.toy"; cat "$work/out"; exit 1; }
    grep -q "$method: does not support rod.toy; use director or frozen" "$work/out" || { cat "$work/out"; exit 1; }
    [ ! -e "$work/no.csv" ]
done
"$withy" run falling_rod --method frozen --set rod.toy=1 -o "$work/toy.csv" >/dev/null
# the capability: a row of the page of limits; the method that claims it runs, each other one refuses it by its words
"$withy" list features | grep -q '^| tokens | - | - | - | - | - | - | yes | - |$' || { "$withy" list features | grep tokens; exit 1; }
"$withy" run falling_rod --method frozen --set rod.token=1 -o "$work/token.csv" >/dev/null
for method in director elastica se3 kirchhoff fdtd cheb bare; do
    status=0
    "$withy" run falling_rod --method "$method" --set rod.token=1 --set gravity=nil -o "$work/no.csv" >"$work/out" 2>&1 || status=$?
    [ "$status" = 2 ] && grep -q "$method: does not support .*use frozen" "$work/out" || { echo "$method: status $status with rod.token"; cat "$work/out"; exit 1; }
done
# the state of another value is refused; on a body every method refuses it
"$work/b/key" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
cat >"$work/body.lua" <<'END'
return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = 1 } }, time = { stop = 1 },
  bodies = { { mass = 1, inertia = { 1, 1, 1 }, toy = signal { { 0, 1 }, { 1, 2 } } } }, method = "director" }
END
status=0
"$withy" run "$work/body.lua" -o "$work/no.csv" >"$work/out" 2>&1 || status=$?
[ "$status" = 2 ] && grep -q "director: does not support bodies\[...\].toy" "$work/out" || { cat "$work/out"; exit 1; }
# the force acts as the same load does in a program without it, and conserves energy
cat >"$work/toy.lua" <<'END'
return {
  rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  loads = { distributed { force = { 0, 0, LOAD } } },
  time = { stop = 0.5, output = 0.5 }, method = "director", options = { n = 8, dt = 0.01 },
}
END
sed 's/LOAD/0/' "$work/toy.lua" >"$work/force.lua"
sed 's/LOAD/-2/' "$work/toy.lua" >"$work/load.lua"
"$withy" static "$work/force.lua" | cut -c1-100 | sed 1d >"$work/force"
"$plain" static "$work/load.lua" | cut -c1-100 | sed 1d >"$work/load"
cmp "$work/force" "$work/load" || { cat "$work/force" "$work/load"; exit 1; }
"$withy" run "$work/force.lua" -o "$work/force.h5" >"$work/out"
grep -q 'constant to [0-9.]*e-1[1-9]' "$work/out" || { cat "$work/out"; exit 1; }
# the law of contact acts as the compliant one with twice the stiffness, at rest too, where nothing is expected of it
cat >"$work/law.lua" <<'END'
return {
  rod = { length = 1, radius = 0.01, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1 } },
  initial = { shape = straight { along = { 1, 0, 0 }, from = { 0, 0, 0.1 } } }, ends = { start = clamped {} },
  contact = { law = "LAW", stiffness = STIFFNESS }, obstacles = { plane {} },
  time = { stop = 0.5, output = 0.05 }, method = "director", options = { n = 8, dt = 0.01 },
}
END
"$withy" list scene | grep -q '"compliant", "barrier" or "toy".*; "toy": a toy'
sed 's/LAW/toy/; s/STIFFNESS/1e4/' "$work/law.lua" >"$work/toy.lua"
sed 's/LAW/compliant/; s/STIFFNESS/2e4/' "$work/law.lua" >"$work/plain.lua"
for scene in toy plain; do
    "$withy" static "$work/$scene.lua" | sed 1d >"$work/$scene.static"
    "$withy" run "$work/$scene.lua" -o "$work/$scene.csv" >"$work/$scene.out"
done
cmp "$work/toy.csv" "$work/plain.csv"
cmp "$work/toy.static" "$work/plain.static" || { cat "$work/toy.static" "$work/plain.static"; exit 1; }
# the law: bent by a moment M = B k (1 + a k^2) to an arc, places and all; in motion, energy is conserved; of a stiffness that
# is hardly changed, the motion is that of the linear law
cat >"$work/law.lua" <<'END'
local k, a = 1.2, TOY
return {
  rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1 }, toy = a },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends = { start = clamped {}, finish = free { moment = { 0, 0, k * (1 + a * k^2) } } },
  time = { stop = 0.5, output = 0.5 }, method = "director", options = { n = 8, dt = 0.01, degree = 4 },
}
END
for toy in 0.5 1e-300; do
    sed "s/TOY/$toy/" "$work/law.lua" >"$work/law$toy.lua"
    "$withy" static "$work/law$toy.lua" >"$work/out"
    sed -n '3s/[^(]*(\([^)]*\)).*/\1/p' "$work/out" | tr -d , | awk '{ x = $1 - sin(1.2)/1.2; y = $2 - (1 - cos(1.2))/1.2
        exit !(x*x + y*y < 1e-12) }' || { cat "$work/out"; exit 1; }
    "$withy" run "$work/law$toy.lua" -o "$work/law$toy.csv" >"$work/out"
    grep -q 'constant to [0-9.]*e-1[1-9]' "$work/out" || { cat "$work/out"; exit 1; }
done
sed 's/TOY/0/; s/, toy = a//' "$work/law.lua" >"$work/linear.lua"
"$plain" run "$work/linear.lua" -o "$work/linear.csv" | grep 'finish ' >"$work/linear"
grep 'finish ' "$work/out" | cmp - "$work/linear" || { cat "$work/out" "$work/linear"; exit 1; }
# the end: loaded along the direction in which it is held, the rod moves as on a roller; across it, as with a free end
cat >"$work/skate.lua" <<'END'
return {
  rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1 }, toy = 1e-300 },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = END },
  loads = { distributed { force = LOAD } },
  time = { stop = 0.5, output = 0.5 }, method = "director", options = { n = 8, dt = 0.01 },
}
END
hold() { # scene, kind of end, load: where the end goes, at rest and in motion
    sed "s/END/$2/; s/LOAD/$3/" "$work/skate.lua" >"$work/$1.lua"
    "$withy" static "$work/$1.lua" | sed '1d' | grep -o '([^)]*)' | head -n 1 | tr -d ' ' >"$work/$1"
    "$withy" run "$work/$1.lua" -o "$work/$1.csv" >"$work/out"
    grep -q 'constant to [0-9.]*e-1[1-9]' "$work/out" || { cat "$work/out"; exit 1; }
    grep '^  finish ' "$work/out" >>"$work/$1"
}
hold up 'skate { along = { 0, 0, 1 } }' '{ 0, 0, -9 }'
hold roller 'roller { along = { 1, 0, 0 } }' '{ 0, 0, -9 }'
hold across 'skate { along = { 0, 0, 1 } }' '{ 0, 9, 0 }'
hold loose 'free {}' '{ 0, 9, 0 }'
cmp "$work/up" "$work/roller" && cmp "$work/across" "$work/loose" || { cat "$work/up" "$work/roller" "$work/across" "$work/loose"; exit 1; }
"$withy" list scene | grep -q '^### `skate'
# the quantity: the distance from the origin, by one name everywhere
cat >"$work/far.lua" <<'END'
local p = params { load = 1 }
return {
  rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } },
  initial = { shape = straight { along = { 1, 0, 0 }, from = { 0, 3, 0 } } }, ends = { start = clamped {}, finish = free { force = { 0, 0, -p.load } } },
  probes = { far = { at = 1, what = "toy" } },
  time = { stop = 0.02, output = 0.01 }, method = "director", options = { n = 4, dt = 0.01 },
}
END
"$withy" list quantities toy | grep -q '^| `toy` | m | *| a toy |$'
"$withy" run "$work/far.lua" -q -o "$work/far.h5" -o "$work/far.csv" -o "$work/far.pvd"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    /^#/ { next } { d = sqrt($at["x [m]"]^2 + $at["y [m]"]^2 + $at["z [m]"]^2) - $at["toy [m]"]; n++; if (d*d > 1e-24) bad++ }
    END { exit !(n > 5 && !bad) }' "$work/far.csv" || { head -n 3 "$work/far.csv"; exit 1; }
"$withy" export "$work/far.h5" --csv -o "$work/again.csv" >/dev/null
cmp "$work/far.csv" "$work/again.csv"
grep -q '^0,far,toy,1,1,3.16' "$work/far.probes.csv" || { cat "$work/far.probes.csv"; exit 1; }
grep -q 'Name="toy"' "$work"/far/000000.vtp
"$withy" view "$work/far.h5" -o "$work/far.html" >"$work/out" 2>&1 && ! grep -q '"name":"toy","unit":"m"' "$work/far.html" && exit 1
for kind in --static ''; do
    "$withy" sweep "$work/far.lua" --over params.load=1,2 $kind -w finish.toy -w far:max -w start.toy -o "$work/far_rows.csv" -q
    grep -q '^1,2,3\.[0-9]*,3\.[0-9]*,3,' "$work/far_rows.csv" || { cat "$work/far_rows.csv"; exit 1; }
done
printf 'factor,finish.toy\n1,3.1\n' >"$work/far_data.csv"
"$withy" fit "$work/far.lua" --data "$work/far_data.csv" --free params.load=0..3 >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
"$withy" fit "$work/far.lua" --minimise params.load --subject 'finish.toy <= 3.15' --free params.load=0.1..3 >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
if command -v gnuplot >/dev/null; then
    "$withy" plot "$work/far.h5" --what finish.toy --profile toy -o "$work/far.svg" >/dev/null
fi
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    cmake --build "$work/b" -j 2 --target withy_shared >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
    WITHY_LIBRARY=$(find "$work/b" -name libwithy.so) PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$work" <<'END'
import sys
import withy
scene, file = withy.load(sys.argv[1] + "/far.lua"), withy.read(sys.argv[1] + "/far.h5")
assert scene.run().rod["toy"][-1, -1] == file.rod["toy"][-1, -1] == file.probes["far"]["value"][-1]
assert file.rod.units["toy"] == "m" and abs(scene.sim().rod["toy"][-1] - 10**0.5) < 1e-12
END
fi
