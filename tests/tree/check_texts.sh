#!/bin/sh
# Any text as a title, a name, an axis or a word of a result: it is drawn and shown as it is, and nothing else comes of it.
# Random texts of what gnuplot, XML, HTML and JSON could take for their own; usage: check_texts.sh TREE BUILD [SAMPLES [SEED]]
. "$1/tests/tree/workshop.sh"
needs_hdf5
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 0; }
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 0; }
cp "$1/viewer/src/speed.js" speed.mjs
/usr/bin/python3 - "$withy" "${3:-${WITHY_SAMPLES:-6}}" "${4:-$(($(date +%s) / 86400))}" <<'PY' || fail "texts"
import json, os, random, re, shutil, subprocess, sys
import xml.dom.minidom
import h5py, numpy

withy, samples, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print(f"texts: seed {seed}, {samples} samples")
draw = random.Random(seed)
PIECES = ["'", "''", '"', '""', "\\", "\\\\", "`", "`touch RAN`", "$(touch RAN)", "system('touch RAN')", "\n", "\r", "\t", "\u2028", "\u2029", "\u0085",
          "\x1b[31m", "\x07", "\x7f", "\u202e", "</script>", "<!--", "-->", "]]>", "<b>", "&amp;", "&", "%s", "%n", "{/=90 y}", "^2", "_i", "@", "#",
          "${x}", "{{x}}", "EOD", "$d", "t [s]", " [", "]", "[s]", "é", "ü", "日本", "\U0001f600", "\ufffd", "a", "t Hooft", "rod", " ", "0", "-", "~", ";", "|"]
FIXED = ["t'\nsystem('touch RAN')\n#", "'t Hooft rod", "''", "'", '"', "\\", "\\'", "x\ny [s]", "x\u2028y [m]", "\u2029", "a'b\"c\\", "]]>", "\\047", "`date`"]


def text():
    return "".join(draw.choice(PIECES) for _ in range(draw.randint(1, 9)))


def lua(value):
    return '"' + "".join(f"\\{b:03d}" for b in value.encode()) + '"'


def expect(code, *command):
    done = subprocess.run([withy, *command], capture_output=True)
    assert done.returncode == code, (command, done.returncode, done.stderr)
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", done.stdout + done.stderr), (command, "control characters")
    return done.stdout


def shown(value):
    """As a picture may show it: no white space, nothing that is no character of XML."""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", "", value)


SCENE = """return { title = %s,
  rods = { { name = "a", length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 },
    initial = { shape = straight { from = { 0, 0, 0.02 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} } } },
  obstacles = { plane { point = { 0, 0, 0 }, normal = { 0, 0, 1 } } },
  gravity = { 0, 0, -9.81 }, probes = { tip = { at = 1, what = "position" } }, path = { to = 1, steps = 3 } }"""


def drawn(path):
    """All texts of an SVG."""
    page = xml.dom.minidom.parse(path)
    return "".join(shown("".join(c.data for c in node.childNodes if c.nodeType in (c.TEXT_NODE, c.CDATA_SECTION_NODE)))
                   for node in page.getElementsByTagName("tspan") + page.getElementsByTagName("text"))


def page_of(path):
    page = open(path, encoding="utf8", newline="").read()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    assert not re.search("[<>&\x00-\x1f\x7f-\x9f\u2028\u2029]", data), "not escaped"
    return json.loads(data)["runs"][0]


def put(result, places, value):
    with h5py.File(result, "r+", libver="latest") as f:
        for place, name in places:
            del f[place].attrs[name]
            f[place].attrs[name] = numpy.bytes_(value.encode())


axes = []
for value in FIXED + [text() for _ in range(samples)]:
    open("one.lua", "w").write(SCENE % lua(value))
    expect(0, "static", "one.lua", "-q", "-o", "one.h5")
    expect(0, "plot", "one.h5", "--shapes", "--probes", "-o", "one.svg")
    assert shown(value)[:40] in drawn("one.svg"), (value, "is not in the picture")
    put("one.h5", [("/", "axis")], value)
    axes.append(value)
    expect(0, "plot", "one.h5", "--energy", "--contacts", "-o", "two.svg")
    assert shown(value)[:30] in drawn("two.svg"), (value, "is not at the axis")
    if os.path.exists(os.environ.get("WITHY_PAGE", "")) or b"view" in subprocess.run([withy, "help"], capture_output=True).stdout:
        done = subprocess.run([withy, "view", "one.h5", "-o", "one.html"], capture_output=True)
        if done.returncode == 0:
            run = page_of("one.html")
            assert run["title"] == value and run["axis"] == value, (value, run["title"], run["axis"])
assert not os.path.exists("RAN"), "a text was executed"
if shutil.which("node"):
    open("axes.json", "w").write(json.dumps(axes))
    open("axes.mjs", "w").write("""import { readFileSync } from "node:fs";
import { axisOf } from "./speed.mjs";
for (const axis of [...JSON.parse(readFileSync("axes.json", "utf8")), undefined, null, ""]) {
  const [name, unit] = axisOf({ axis });
  if (typeof name !== "string" || typeof unit !== "string" || /[\\n\\u2028\\u2029]/.test(name + unit)) throw new Error(JSON.stringify(axis));
}
const is = (axis, name, unit) => { if (axisOf({ axis }).join("|") !== `${name}|${unit}`) throw new Error(axis); };
is("t [s]", "t", "s"); is("factor [-]", "factor", "-"); is("frequency [Hz]", "frequency", "Hz"); is("mode", "mode", "");
""")
    subprocess.run(["node", "axes.mjs"], check=True)
PY
[ $failures = 0 ]
