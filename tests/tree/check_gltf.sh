#!/bin/sh
# withy export --gltf and --usd: files without errors for glTF's own validator, whose tubes, curves and bodies move as those of the result.
. "$1/tests/tree/workshop.sh"
needs_hdf5
root=$1
expect 0 "$withy" run flexible_pendulum -o falls.h5 --quiet
expect 0 "$withy" run gripper_ball --set time.stop=0.1 -o gripper.h5 --quiet
expect 0 "$withy" run four_bar --set time.stop=0.2 -o links.h5 --quiet
expect 0 "$withy" static snap_arch -o path.h5 --quiet
expect 0 "$withy" modes cantilever_frequencies -o modes.h5 --quiet
for name in falls gripper links path modes; do
    expect 0 "$withy" export $name.h5 --gltf --usd
    [ -s $name.glb ] || fail "$name.glb was not written"
    [ -s $name.usda ] || fail "$name.usda was not written"
done
cat >digit.lua <<'LUA'
return { bodies = { { name = "2nd-hub", mass = 1, inertia = { 1, 1, 1 } } },
  rod = { name = "3", length = 1, radius = 0.01, stiffness = { bend = 1, twist = 1 }, inertia = { mass = 1 } },
  time = { stop = 0.01, output = 0.01 }, method = "director", options = { n = 2, dt = 0.01 } }
LUA
expect 0 "$withy" run digit.lua -o digit.h5 --quiet
expect 0 "$withy" export digit.h5 --usd # no name of USD begins with a digit
grep '^ *def ' digit.usda | grep -qv 'def [A-Za-z]* "[A-Za-z_][A-Za-z0-9_]*"' && fail "names: $(grep ' def ' digit.usda)"
expect 2 "$withy" export falls.h5 --gltf -o falls.gltf; says "ends with .glb"
expect 1 "$withy" export falls.h5 --gltf -o /nonexistent/a.glb; says "/nonexistent/a.glb"
expect 0 "$withy" export gripper.h5 --csv
python3 - <<'PYTHON' || fail "a glTF file does not move as its result"
import json, struct
data = open("gripper.glb", "rb").read()
magic, version, length, size, kind = struct.unpack_from("<4sIIII", data)
assert (magic, version, length) == (b"glTF", 2, len(data)) and kind == 0x4e4f534a
scene, blob = json.loads(data[20:20 + size]), data[28 + size:]
def rows(index):
    a = scene["accessors"][index]
    at, width = scene["bufferViews"][a["bufferView"]]["byteOffset"], {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    flat = struct.unpack_from(f"<{width * a['count']}f", blob, at)
    return [flat[width * i:width * (i + 1)] for i in range(a["count"])]
moving = scene["animations"][0]
names = {scene["nodes"][c["target"]["node"]]["name"]: moving["samplers"][c["sampler"]] for c in moving["channels"] if c["target"]["path"] == "translation"}
import csv
table = list(csv.DictReader(line for line in open("gripper.csv") if not line.startswith("#")))
rod = table[0].get("rod") and [r for r in table if r["rod"] == table[0]["rod"]] or table
key = {k.split("[")[0].strip(): k for k in table[0]}
times = sorted({float(r[key["t"]]) for r in rod})
sampler = names["finger1 0"]
assert [round(t[0], 5) for t in rows(sampler["input"])] == [round(t - times[0], 5) for t in times]
name = lambda c: next(k for k in table[0] if k.startswith("position." + c) or k.startswith(c + " ") or k.split("[")[0].strip() in (c, "r" + c, "position_" + c))
first = [[float(r[name(c)]) for c in "xyz"] for r in rod if abs(float(r[key["s"]])) < 1e-12]
assert len(first) == len(times), (len(first), len(times))
for got, expected in zip(rows(sampler["output"]), first):
    assert max(abs(a - b) for a, b in zip(got, expected)) < 1e-6, (got, expected)
import re
text = open("gripper.usda").read()
assert text.startswith("#usda 1.0\n") and text.count("{") == text.count("}") and text.count("[") == text.count("]")
def samples(prim, what):
    block = text[text.index(prim):]
    block = block[block.index(what):]
    return [re.findall(r"[-+0-9.e]+", line) for line in block[:block.index("\n        }")].splitlines()[1:]]
curve = [[float(x) for x in line] for line in samples('BasisCurves "finger1_', "points.timeSamples")]
for row, t, expected in zip(curve, times, first):
    assert abs(row[0] - 24 * (t - times[0])) < 1e-5 and max(abs(a - b) for a, b in zip(row[1:4], expected)) < 1e-6
count = int(re.search(r"curveVertexCounts = \[(\d+)\]", text).group(1))
assert all(len(row) == 1 + 3 * count for row in curve) and len(curve) == len(times)
moves = [[float(x) for x in line] for line in samples('Mesh "ball_', "xformOp:translate.timeSamples")]
turns = [[float(x) for x in line] for line in samples('Mesh "ball_', "xformOp:orient.timeSamples")]
for row, turn, at, q in zip(moves, turns, rows(names["ball"]["output"]), rows(next(moving["samplers"][c["sampler"]]["output"] for c in moving["channels"] if scene["nodes"][c["target"]["node"]]["name"] == "ball" and c["target"]["path"] == "rotation"))):
    assert max(abs(a - b) for a, b in zip(row[1:], at)) < 1e-6
    assert max(abs(a - b) for a, b in zip(turn[1:], [q[3], *q[:3]])) < 1e-6
for mesh in re.findall(r"faceVertexIndices = \[([^]]*)\].*?point3f\[\] points = \[([^]]*)\]", text, re.S):
    assert max(map(int, mesh[0].split(", "))) < mesh[1].count("(")
ball = rows(names["ball"]["output"])
assert len(ball) == len(times) and len(scene["skins"]) == 3
PYTHON
validator=$root/viewer/node_modules/gltf-validator
[ -d "$validator" ] || { echo "the files were not validated: gltf-validator is not installed"; [ $failures = 0 ]; exit $?; }
cat >valid.cjs <<'NODE'
const validator = require(process.argv[2]), fs = require("fs");
Promise.all(process.argv.slice(3).map(async (file) => {
  const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
  for (const m of issues.messages) if (m.severity < 2) console.log(file, m.code, m.message, m.pointer);
  return issues.numErrors + issues.numWarnings;
})).then((all) => process.exit(all.some((n) => n > 0) ? 1 : 0));
NODE
node valid.cjs "$validator" ./*.glb || fail "gltf-validator found errors"
[ $failures = 0 ]
