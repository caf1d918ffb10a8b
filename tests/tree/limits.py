#!/usr/bin/env python3
"""Every row of docs/limits.md against the program: limits.py PROGRAM docs/limits.md

A scene for each row and method: "yes" runs it to its end, "-" refuses it with a message that names the feature, and every
method the message offers instead runs it.  What withy cannot do is refused where a scene can ask for it, and what the page
offers instead runs.  A row without a scene here fails."""
import json
import os
import re
import subprocess
import sys
import tempfile

program, page = os.path.abspath(sys.argv[1]), sys.argv[2]
BASE = """local rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e7, poisson = 0.3, density = 1000 } }
local s = { rod = rod, initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -1 }, time = { stop = 0.01, output = 0.005 }, options = { n = 12 } }
local function part(from, ends) return { length = 1, section = rod.section, material = rod.material, ends = ends,
  initial = { shape = straight { from = from, along = { 1, 0, 0 } } } } end
local function rods(...) s.rod, s.initial, s.ends, s.rods = nil, nil, nil, { ... } end
local function pair() rods(part({ 0, 0, 0 }, { start = clamped {} }), part({ 1, 0, 0 })) end
local function body() s.bodies = { { name = "hub", mass = 0.1, inertia = { 1e-4, 1e-4, 1e-4 }, position = { 1, 0, 0 },
  shape = sphere { diameter = 0.05 } } } end
%s
return s
"""
# what follows the scene above, of each feature; a pair: the command too
SCENES = {
    "motion (withy run)": "",
    "equilibria and modes (withy static, withy modes)": "",
    "stretch of the rod": "s.ends.finish = free { force = { 0.1, 0, 0 } } rod.stiffness = { stretch = %s }",
    "shear of the rod": "s.ends.finish = free { force = { 0, 0, 0.1 } } rod.stiffness = { shear = %s }",
    "gravity": "",
    "clamped ends": "",
    "pinned ends": "s.ends.start = pinned {}",
    "ends whose position or direction is a function of time": "s.ends.start = clamped { position = function(t) return 0, 0, t * t end }",
    "forces at the ends": "s.ends.finish = free { force = { 0, 0, 0.01 } }",
    "distributed loads": "s.loads = { distributed { force = { 0, 0, 0.01 } } }",
    "point loads": "s.loads = { point { at = 0.5, force = { 0, 0, 0.01 } } }",
    "damping of the rod": "rod.damping = { bend = 1e-3 }",
    "an initial shape that is not straight": "s.initial.shape = arc { radius = 5, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 0, 1 } }",
    "an initial velocity": "s.initial.velocity = function(s) return 0, 0, 0.01 * s * s end",
    "several rods": "rods(part({ 0, 0, 0 }, { start = clamped {} }), part({ 0, 1, 0 }, { start = clamped {} }))",
    "bodies": "body() s.joints = { weld { parts = { \"hub\", \"rod\" }, at = { { 0, 0, 0 }, 1 } } }",
    "joints other than welds and ball joints": "s.joints = { hinge { parts = { 'ground', 'rod' }, at = { { 1, 0, 0 }, 1 }, axis = { 0, 1, 0 } } }",
    "joints": "s.joints = { ball { parts = { 'ground', 'rod' }, at = { { 1, 0, 0 }, 1 } } }",
    "contact settings": "s.obstacles = { plane { point = { 0, 0, -0.02 } } } s.contact = { self = false, rods = false }",
    "rods that touch themselves or each other (contact.self, contact.rods)": "s.contact = {}",
    "obstacles": "s.obstacles = { plane { point = { 0, 0, -0.0101 } } }",
    "a floor that touches the axes of the rods (floor.axis)": "s.floor = { point = { 0, 0, -0.02 }, stiffness = 1e3, axis = true }",
    "ends that hold the section against turning about the tangent":
        "s.initial.shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } s.ends.finish = guided { "
        "tangent = { 1, 0, 0 }, normal = function(t) return 0, math.cos(t), math.sin(t) end }",
    "a rest shape that is not straight": "rod.rest = arc { radius = 2, from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } s.initial = { shape = rod.rest }",
    "stiffness, inertia or damping that varies along the rod": "rod.section = nil rod.material = nil rod.stiffness = { bend = function(s) return 0.1 + 0.05 * s end, twist = 0.1, stretch = 3e3, shear = 1e3 } "
        "rod.inertia = { mass = 0.3, rotary = { 1e-5, 1e-5, 2e-5 } }",
    "damping of the strains (rod.damping.law)": "rod.damping = { bend = 1e-3, law = 'strain' }",
    "damping of the rate of x'' in space (rod.damping.law)": "rod.damping = { bend = 1e-3, law = 'elastica' }",
    "a stress that relaxes (viscoelastic)": "rod.law = viscoelastic { { 0.3, 0.01 } }",
    "a material that yields (plastic, superelastic, yielding)": "rod.law = plastic { yield = 1e3 }",
    "a nonlinear elastic section (rubber, ribbon, tabulated)": "rod.material.poisson = 0.5 rod.law = rubber {}",
    "two different bending stiffnesses": "rod.section = rectangle { width = 0.04, height = 0.02 }",
    "guided ends": "s.ends.finish = guided {}",
    "roller ends": "s.ends.finish = roller { along = { 1, 0, 0 } }",
    "loads that follow the rod": "s.ends.finish = free { force = { 0.01, 0, 0 }, follower = true }",
    "applied moments": "s.ends.finish = free { moment = { 0, 0.001, 0 } }",
    "external drag": "rod.drag = { linear = 0.01 }",
    "a surrounding medium (medium, rod.fluid, rod.viscous)":
        "s.medium = { density = 100, current = { 0, 0.1, 0 } } rod.fluid = { drag = { normal = 1.2 }, added = { normal = 1 } }",
    "a mass at an end": "s.ends.finish = free { mass = 0.01 }",
    "an end mass with inertia or offset": "s.ends.finish = free { mass = 0.01, inertia = { 1e-6, 1e-6, 1e-6 } }",
    "springs at the ends": "s.ends.finish = free { spring = 1 }",
    "a prescribed tension": "rod.tension = 0.1 s.ends.finish = pinned {}",
    "tendons": "s.loads = { tendon { route = { 0.005, 0 }, tension = 0.01 } }",
    "an initial angular velocity of the sections": "s.ends.start = pinned {} s.initial.spin = { 0, 0, 0.1 } s.initial.velocity = function(s) return 0, 0.1 * s, 0 end",
    "ends driven by velocity or acceleration": "s.ends.start = clamped { velocity = function(t) return 0, 0, 0.1 * t end }",
    "a start from equilibrium": "s.initial = static { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }",
    "a rotating frame": ("static", "s.rotating = { spin = { 0, 0, 1 } }"),
    "loads that depend on the state of the rod": "s.loads = { distributed { force = function(s, t, state) return 0, 0, -0.1 * state.velocity[3] end } }",
    "strains at rest that change with time or temperature (rod.rest as a function of t, rod.heat)":
        "rod.heat = { expansion = 1e-3, temperature = function(s, t) return t end }",
    "muscles and chambers (muscle, chamber)":
        "s.loads = { muscle { route = { 0.005, 0 }, stress = 1e3, area = 1e-5, activation = 0.1 } }",
    "cables (rod.kind = \"cable\")": "rod.kind = 'cable' s.ends.start = pinned {}",
    "closed rods (rod.closed)": "s.ends, s.gravity, s.initial, rod.closed, rod.rest = nil, nil, { shape = arc { radius = 0.5 / math.pi } }, true, straight {}",
    "magnetised rods (rod.magnet, field)": "rod.magnet = { 0, 0, 1 } s.field = { value = { 0, 0, 1e-3 } }",
    "a shape given by positions and frames": "s.initial.shape = placed { position = function(s) return 1.0001 * s, 0, 0 end, frame = { 0.5, 0.5, 0.5, 0.5 } }",
}
NO_REFUSAL = {"stretch of the rod": ("1e3", "2e3"), "shear of the rod": ("1e1", "2e1")}  # a method without them takes the rod as rigid
# what withy cannot do: scenes that ask for it, refused with these words; and what it offers instead, which runs
CANNOT = {
    "obstacles that move or deform under load": ([("s.obstacles = { plane { point = { 0, 0, -1 }, mass = 1 } }", "mass")],
                             ["body() s.bodies[1].position = { 0.5, 0, -0.036 } s.contact = {} s.joints = { spring { parts = { 'ground', 'hub' }, at = { { 0.5, 0, -0.036 }, { 0, 0, 0 } }, stretch = { 1, 1, 1 } } }"]),
    "temperature-dependent materials, and hyperelastic ones other than neo-Hookean":
        ([(f"rod.material.{key} = 1", key) for key in ("mooney", "temperature")], ["rod.law = plastic { yield = 1e9 }", "rod.law = viscoelastic { { 0.3, 0.01 } }"]),
    "warping of open thin-walled sections, and sections that change their shape": ([("rod.stiffness = { warping = 1 }", "warping")], []),
    "stubby parts, whose length is less than about 5 diameters": ([], []),  # a matter of accuracy: no scene asks for it
    "breaking, cutting or growing rods": ([("rod.strength = 1", "strength"), ("rod.growth = 1", "growth")],
                                          ["rod.length = nil s.initial.shape = through { { 0, 0, 0 }, { 0.5, 0, 0.01 }, { 0.9997, 0, 0 } }"]),
    "a fluid whose flow depends on the rod (a `medium` moves as it is given; what the rod sets in motion is in the coefficients of `rod.fluid`)":
        ([("s.medium = { density = 1, cells = 10 }", "cells")], ["s.loads = { distributed { force = function(s, t, state) return 0, 0, 0.1 * (1 - state.velocity[3]) end } }"]),
    "electric and thermal fields, and magnetic fields that vary in space": ([("s.loads = { magnetic { field = 1 } }", "magnetic")],
                                                    ["s.loads = { distributed { force = function(s, t, state) return 0, 0, -state.position[3] end } }"]),
    "dry friction in joints and on ends":
        ([("pair() s.joints = { hinge { parts = { 'rod', 'rod2' }, at = { 1, 0 }, axis = { 0, 1, 0 }, friction = 1 } }", "friction"),
          ("s.ends.finish = roller { along = { 1, 0, 0 }, friction = 1 }", "friction")],
         ["pair() s.joints = { hinge { parts = { 'rod', 'rod2' }, at = { 1, 0 }, axis = { 0, 1, 0 }, damping = 0.1 } }"]),
    "membranes, plates, shells": ([("s.shells = {}", "shells")],
        ["rods(part({ 0, 0, 0 }, { start = clamped {} }), part({ 0, 1, 0 }, { start = clamped {} }), part({ 1, 0, 0 })) s.rods[3].initial.shape = straight { from = { 1, 0, 0 }, along = { 0, 1, 0 } } "
         "s.joints = { weld { parts = { 'rod', 'rod3' }, at = { 1, 0 } }, weld { parts = { 'rod2', 'rod3' }, at = { 1, 1 } } }"]),
}
wrong = runs = 0


def fail(text):
    global wrong
    wrong += 1
    print(text)


def ask(edit, method, command="run"):
    global runs
    runs += 1
    with open("limits.lua", "w") as file:
        file.write(BASE % edit)
    return subprocess.run([program, command, "limits.lua", "-m", method, "--json", "--quiet"], capture_output=True, text=True)


def finish(done):
    return json.loads(done.stdout)["ends"]["finish"]["position"]


def does(row, edit, method, command="run"):
    done = ask(edit, method, command)
    if done.returncode != 0:
        fail(f"{row}: {method} does it, says the page; `withy {command}` ends with {done.returncode}: {done.stderr.strip()}")
    return done


def does_not(row, edit, method, command="run"):
    """Refused with a message that names the feature and methods that do it."""
    done = ask(edit, method, command)
    said = done.stderr.strip()
    named = row in said or row.startswith("equilibria") or (row.startswith("rods that touch") and "contact settings" in said)
    if done.returncode != 2 or not named:
        return fail(f"{row}: {method} does not, says the page; `withy {command}` ends with {done.returncode}: {said}")
    for other in re.findall(r"\w+", said.rpartition("; use ")[2]) if "; use " in said else []:
        if other in methods:
            does(row, edit, other, command)


def feature(row, cells):
    if row not in SCENES:
        return fail(f"{row}: no scene shows it; add one to tests/tree/limits.py")
    scene = SCENES[row] if isinstance(SCENES[row], tuple) else ("run", SCENES[row])
    commands = ("static", "modes") if row.startswith("equilibria") else (scene[0],)
    for method, can in zip(methods, cells):
        if row in NO_REFUSAL:
            soft, hard = (finish(does(row, scene[1] % k, method)) for k in NO_REFUSAL[row])
            moved = max(abs(a - b) for a, b in zip(soft, hard))
            if (moved > 1e-9) != can:
                fail(f"{row}: {method}: the stiffness changes the finish by {moved:.3g} m")
            continue
        for command in commands:
            (does if can else does_not)(row, scene[1], method, command)


def cannot(row, _):
    if row not in CANNOT:
        return fail(f"cannot {row}: no scene shows it; add one to tests/tree/limits.py")
    refused, instead = CANNOT[row]
    for edit, word in refused:
        done = ask(edit, "director")
        if done.returncode != 2 or word not in done.stderr:
            fail(f"cannot {row}: {edit}: status {done.returncode}: {done.stderr.strip()}")
    for edit in instead:
        does(f"instead of {row}", edit, "director")


os.chdir(tempfile.mkdtemp())
methods, rows, judge = [], 0, None
for line in open(page if os.path.isabs(page) else os.path.join(os.environ.get("OLDPWD", "."), page)):
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    if line.startswith("| feature"):
        methods, judge = cells[1:], feature
    elif line.startswith("| withy cannot"):
        judge = cannot
    elif line.startswith("| "):
        rows += 1
        judge(cells[0], [c == "yes" for c in cells[1:]])
print(f"{rows} rows, {runs} scenes, {wrong} wrong")
sys.exit(wrong != 0 or rows < 40)
