#!/bin/sh
# One spelling of each number: random names, other ones each day, are read alike by sweeps of motions and of equilibria,
# `withy plot`, fits and designs; and a sweep, a design and a fit to the number of a sweep agree on its value.
# WITHY_SPELLINGS=200: so many names.
exec python3 - "$2/withy" <<'PYTHON'
import csv, json, os, random, subprocess, sys, tempfile, time

program = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
day = os.environ.get("WITHY_TEST_DAY", "all")
random.seed(int(time.time() // 86400) if day == "all" else int(day))
with open("net.lua", "w") as file:
    file.write("""local p = params { load = 0.2 }
local function bar(name, from, along, ends)
  return { name = name, length = 0.5, section = circle { diameter = 8e-3 }, ends = ends,
           material = { young = 3e9, poisson = 0.35, density = 1200 }, damping = { time = 5e-3 },
           initial = { shape = straight { from = from, along = along } } }
end
local arm = bar("arm", { 0, 0, 0.5 }, { 1, 0, 0 })
arm.loads = { point { at = 0.25, force = { 0, p.load, -p.load } } }
return {
  rods    = { bar("post", { 0, 0, 0 }, { 0, 0, 1 }, { start = clamped {} }), arm },
  bodies  = { { name = "load", mass = 0.05, inertia = { 1e-5, 1e-5, 8e-6 }, position = { 0.5, 0, 0.45 },
                shape = box { size = { 0.03, 0.03, 0.04 } } } },
  joints  = { weld { name = "corner", parts = { "post", "arm" }, at = { 0.5, 0 } },
              hinge { name = "hook", parts = { "arm", "load" }, at = { 0.5, { 0, 0, 0.05 } }, axis = { 0, 1, 0 }, spring = 0.3 } },
  obstacles = { plane { name = "ground", point = { 0, 0, -1 } } },
  gravity = { 0, 0, -9.81 }, time = { stop = 0.05, output = 0.01 },
  probes  = { tip = { rod = "arm", at = 0.5 }, rate = { rod = "post", at = 0.2, what = "velocity" },
              twirl = { body = "load", what = "spin", every = 0.01 } },
  method  = "director", options = { n = 4, dt = 0.01 },
}
""")


def ask(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.returncode, done.stderr.strip(), done.stdout


quantities = {}  # those of the page: kind -> [(name, components)]
for line in ask("list", "quantities")[2].splitlines():
    if line.startswith("## "):
        kind = line[3:]
    elif line.startswith("| `") and kind in ("At the stations of a rod", "Of a body", "Of a joint", "Of an obstacle", "Of a rod as a whole, or of the scene"):
        cells = [c.strip() for c in line.strip("|").split("|")]
        quantities.setdefault(kind, []).append((cells[0].strip("`"), cells[2].replace("`", "").split()))
PARTS = {"Of a body": ["load", "body1"], "Of a joint": ["corner", "hook", "joint2"], "Of an obstacle": ["ground", "obstacle1"]}


def name():
    kind = random.choice(sorted(quantities))
    quantity, components = random.choice(quantities[kind])
    rod = random.choice(["", "", "post.", "arm.", "rod2."])
    if kind in PARTS:
        text = f"{random.choice(PARTS[kind])}.{quantity}"
    else:
        text = rod + (f"{random.choice(['start', 'middle', 'finish', 's=0.2', 's=0.37'])}." if kind.startswith("At") else "") + quantity
    return text + (f".{random.choice([*components, 'norm', str(random.randint(1, len(components)))])}" if components else "")


def first(file):
    with open(file) as rows:
        return list(csv.reader(rows))[1][2]


def check(text):
    """None, or what differs."""
    static = ask("sweep", "net.lua", "--static", "--over", "params.load=0.1,0.3", "--want", text, "-o", "static.csv", "-q")
    if static[0] == 0:
        value = float(first("static.csv"))
        design = ask("fit", "net.lua", "--minimise", "params.load", "--subject", f"{text} <= 1e30", "--free", "params.load=0.1..0.3", "--json")
        if design[0]:
            return f"a design refuses it: {design[1]}"
        found = next(n["value"] for n in json.loads(design[2])["numbers"] if n["name"] == text)
        if not abs(found - value) <= 1e-6 * max(1, abs(value)):
            return f"{value} in a sweep, {found} in a design"
        with open("data.csv", "w") as data:
            data.write(f"factor,{text}\n1,{value!r}\n")
        fit = ask("fit", "net.lua", "--data", "data.csv", "--free", "params.load=0.1..0.3", "--json")
        if fit[0] == 2 and text not in ("unstable", "neutral"):  # counts: a fit has no derivatives of them
            return f"a fit refuses it: {fit[1]}"
    run = ask("sweep", "net.lua", "--over", "params.load=0.1,0.3", "--want", text, "-o", "run.csv", "-q")
    plot = ask("plot", "run.h5", "--what", text, "-o", "plot.svg")
    if (run[0] == 0) != (plot[0] == 0):
        return f"a sweep of motions: {run[:2]}, plot: {plot[:2]}"
    if run[0] and static[0] and not ("does not compute it" in run[1] or "does not compute it" in static[1]):
        return f"is on the page, but: {run[1]}"
    return None


ask("run", "net.lua", "-o", "run.h5", "-q", "--set", "params.load=0.1")
names = sorted({name() for _ in range(int(os.environ.get("WITHY_SPELLINGS", 12)))})
wrong = [f"{text}: {what}" for text in names for what in [check(text)] if what]
print("\n".join(wrong) or f"{len(names)} names of numbers mean the same everywhere")
sys.exit(bool(wrong) or len(quantities) < 5)
PYTHON
