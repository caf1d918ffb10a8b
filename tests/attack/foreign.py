#!/usr/bin/env python3
"""Results that somebody has made: each part of a result is missing, or has another rank, shape, type or place, alone and with others.

usage: foreign.py PROGRAM COUNT [SEED]: COUNT changed copies of results of every kind (rods, bodies, joints, contact, obstacles,
tendons, a path of equilibria, modes, a sweep) through export, view, plot and run --resume.  What is printed is a message or
a result; no command crashes, waits, takes more memory or time than files of that size can need, or reads another file.
The seed is that of the day, and is printed.  Needs h5py; each part alone comes first, in turns, then pairs.
"""
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time() // 86400)
draw = random.Random(seed)
SANITIZED = b"__asan_init" in open(program, "rb").read()
SECRET = 1234567.0625  # what the file outside holds, again and again

ROD = """length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 }"""
SCENES = {
    "network": """local rod = function(z, along) return { %s, initial = { shape = straight { from = { 0, 0, z }, along = along } } } end
return { title = "rods", rods = { rod(0.02, { 1, 0, 0 }), rod(0.05, { 0, 1, 0 }) },
  bodies = { { name = "b", mass = 1, inertia = { 1, 1, 1 }, position = { 0, 0, 0.3 }, shape = sphere { diameter = 0.1 } },
             { name = "c", mass = 1, inertia = { 1, 1, 1 }, position = { 0, 2, 0.3 } } },
  joints = { hinge { parts = { "b", "c" }, at = { { 0, 1, 0 }, { 0, -1, 0 } }, axis = { 1, 0, 0 } } },
  obstacles = { plane { point = { 0, 0, 0.01 } }, box { center = { 3, 0, 0 }, size = { 1, 1, 1 } }, mesh { file = "t.stl", point = { 5, 5, 5 } } },
  contact = { stiffness = 1e5 }, gravity = { 0, 0, -9.81 }, method = "director", options = { n = 2, dt = 1e-3 },
  time = { stop = 0.006, output = 0.002 }, probes = { tip = { at = 1, what = "position" }, ball = { body = "b", what = "position" } } }""" % ROD,
    "rod": """return { rod = { %s }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, gravity = { 0, 0, -9.81 },
  loads = { tendon { route = { 5e-3, 0 }, tension = 1 } }, method = "se3", options = { n = 6, dt = 1e-3 }, time = { stop = 0.006, output = 0.002 },
  probes = { tip = { at = 1, what = "position" } } }""" % ROD,
    "path": """return { rod = { %s }, initial = { shape = straight { from = { 0, 0, 0.02 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  obstacles = { plane { point = { 0, 0, 0 }, normal = { 0, 0, 1 } } }, gravity = { 0, 0, -9.81 }, method = "director", options = { n = 4 },
  probes = { tip = { at = 1, what = "position" } }, path = { to = 1, steps = 3 } }""" % ROD,
}
FACES = ["0 0 0 0 1 0 1 0 0", "0 0 0 1 0 0 0 0 1", "1 0 0 0 1 0 0 0 1", "0 1 0 0 0 0 0 0 1"]


def corners(face):
    numbers = face.split()
    return " ".join("vertex " + " ".join(numbers[i:i + 3]) for i in (0, 3, 6))


def limited():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (120, 121))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))


def withy(*arguments):
    return subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=limited, timeout=900)


def make_results():
    open("t.stl", "w").write("solid\n" + "".join(f"facet normal 0 0 0 outer loop {corners(f)} endloop endfacet\n" for f in FACES) + "endsolid\n")
    for name, text in SCENES.items():
        open(name + ".lua", "w").write(text)
    made = [("run", "network.lua", "-o", "network.h5", "--checkpoint", "60"), ("run", "rod.lua", "-o", "rod.h5", "--checkpoint", "60"),
            ("static", "path.lua", "-o", "path.h5"), ("modes", "rod.lua", "--count", "2", "-o", "modes.h5"),
            ("sweep", "rod.lua", "--over", "options.n=4,6", "-w", "finish.z", "-o", "sweep.h5")]
    for command in made:
        done = withy(*command, "-q")
        if done.returncode != 0:
            sys.exit(f"foreign.py: {command}: {done.stderr.decode()}")
    numpy.full(1 << 16, SECRET).tofile("secret.bin")
    with h5py.File("secret.h5", "w") as f:
        f["x"] = numpy.full(1 << 12, SECRET)
    return [command[command.index("-o") + 1] for command in made]


# ---- changes: of the dataset or the group at path ------------------------------------------------------------------------

def replace(f, path, **how):
    kept = dict(f[path].attrs)
    del f[path]
    f.create_dataset(path, **how)
    for name, value in kept.items():
        f[path].attrs[name] = value


def lose(f, path):
    del f[path]


def other_shape(f, path):
    shape = list(f[path].shape or ())
    where = draw.randrange(len(shape)) if shape else 0
    kinds = ["rank+", "rank-", "0", "+1", "-1", "huge", "null"]
    kind = draw.choice(kinds)
    dtype = f[path].dtype if f[path].dtype.kind in "fi" else "f8"
    if kind == "null":
        return replace(f, path, data=h5py.Empty("f8"))
    if kind == "rank+" or not shape:
        shape.insert(where, draw.choice([1, 2, 3]))
    elif kind == "rank-":
        shape.pop(where)
    else:
        shape[where] = {"0": 0, "+1": shape[where] + 1, "-1": max(0, shape[where] - 1), "huge": draw.choice([1 << 20, 1 << 31, 1 << 40, (1 << 61) + 1])}[kind]
    if kind == "huge":
        return replace(f, path, shape=tuple(shape), dtype=dtype, chunks=tuple(min(n, 4) or 1 for n in shape))
    return replace(f, path, data=numpy.ones(shape, dtype))


def other_type(f, path):
    shape = f[path].shape or ()
    kind = draw.choice(["f4", ">f8", "i1", "u8", "S0", "S3", "vlen", "text", "compound", "bool", "array", "c16"])
    special = {"vlen": h5py.vlen_dtype("f8"), "text": h5py.string_dtype(), "S0": "S1", "compound": numpy.dtype([("a", "f8"), ("b", "i4")]),
               "array": numpy.dtype(("f8", (3,))), "bool": numpy.bool_}
    replace(f, path, shape=shape, dtype=special.get(kind, kind))


def other_numbers(f, path):
    data = f[path]
    if data.dtype.kind not in "fi" or not data.size or data.dtype.kind == "i" and path.startswith("restart"):
        return
    value = data[()]
    odd = [numpy.nan, numpy.inf, -numpy.inf, 1e300, -1, 0, 1e18, 2.0 ** 31, 1 << 20, 0.5] if data.dtype.kind == "f" else [-1, 0, 2 ** 63 - 1, -2 ** 63, 2 ** 31, 7]
    if draw.random() < 0.5 or not value.shape:
        value = numpy.full(value.shape, draw.choice(odd), value.dtype)
    else:
        value.flat[draw.randrange(value.size)] = draw.choice(odd)
    data[...] = value


def other_place(f, path):
    kind = draw.choice(["loop", "group", "outside", "elsewhere", "stored", "virtual"])
    shape = getattr(f[path], "shape", None)
    if kind in ("stored", "virtual") and (not shape or not numpy.prod(shape)):
        kind = "outside"
    if kind == "virtual":
        layout = h5py.VirtualLayout(shape=shape, dtype="f8")
        size = int(numpy.prod(shape[1:])) if len(shape) > 1 else 1
        if len(shape) == 1:
            layout[:] = h5py.VirtualSource("secret.h5", "x", shape=(1 << 12,))[:shape[0]]
        elif size:
            return other_place(f, path)
        del f[path]
        f.create_virtual_dataset(path, layout)
        return None
    if kind == "stored":
        how = {"external": [("secret.bin", 0, h5py.h5f.UNLIMITED)]}
        return replace(f, path, shape=shape, dtype="f8", **how)
    names = []
    f.visit(names.append)
    other = draw.choice([n for n in names if not n.startswith(path)] or ["time"])
    del f[path]
    if kind == "group":
        f.create_group(path)
    elif kind == "elsewhere":
        f[path] = f[other] if draw.random() < 0.5 and other in f else h5py.SoftLink("/" + other)
    else:
        f[path] = h5py.SoftLink("/" + path) if kind == "loop" else h5py.ExternalLink("secret.h5", "/x")
    return None


def lose_attribute(f, path, name):
    del f[path].attrs[name]


def other_attribute(f, path, name):
    odd = [numpy.nan, numpy.inf, -1.0, 1e300, 2.0 ** 40, 0.0, 7, b"", b"x" * 60000, b"\xff\xfe", "é" * 300, numpy.arange(5.0), [b"a", b"b"], h5py.Empty("f8"),
           numpy.float32(2), b"a\0b", "'\n\u2028</script>", b"%s%n", -1]
    del f[path].attrs[name]
    f[path].attrs[name] = draw.choice(odd)


DATA = [lose, other_shape, other_shape, other_type, other_type, other_numbers, other_numbers, other_place, other_place]


def places(result):
    """(path, attribute or None) of all that can be changed."""
    found = []
    with h5py.File(result, "r") as f:
        found += [("/", name) for name in f.attrs]
        f.visititems(lambda path, item: found.extend([(path, None)] + [(path, name) for name in item.attrs if name not in ("doc", "unit") or draw.random() < 0.1]))
    return [place for place in found if not (place[0].split("/")[-1] == "check" and place[1])]


def is_there(f, path):
    try:
        return f.get(path) is not None
    except RuntimeError:  # soft links in a circle
        return False


def change(result, many):
    """A copy without checksums, which anybody can compute, and with these places changed; what was done."""
    told = []
    with open(result, "rb") as whole:
        open("bad.h5", "wb").write(whole.read())
    with h5py.File("bad.h5", "r+", libver="latest") as f:
        checks = []
        f.visit(lambda path: checks.append(path) if path.split("/")[-1] == "check" else None)
        for path in checks:
            del f[path]
        f.visititems(lambda _, item: item.attrs.pop("check", None) and None)
        for path, name in many:
            if path != "/" and not is_there(f, path):
                continue
            if name is not None and name not in f[path].attrs:
                continue
            do = draw.choice([lose_attribute, other_attribute, other_attribute] if name else DATA if isinstance(f[path], h5py.Dataset) else [lose, other_place])
            told.append(f"{do.__name__} {path}{' @' + name if name else ''}")
            try:
                do(f, path, name) if name else do(f, path)
            except (ValueError, TypeError, OSError, KeyError, RuntimeError, OverflowError) as why:
                told.append(f"(h5py: {why})")
    return ", ".join(told)


# ---- commands ------------------------------------------------------------------------------------------------------------

COMMANDS = [("export", "bad.h5", "--csv"), ("export", "bad.h5", "--vtk"), ("view", "bad.h5", "-o", "bad.html"),
            ("plot", "bad.h5", "--shapes", "--energy", "--probes", "--contacts", "-o", "bad.svg"),
            ("run", "--resume", "bad.h5", "--set", "time.stop=0.008", "-q"),
            ("run", "--resume", "bad.h5", "--set", "options.n=3", "--set", "time.stop=0.008", "-q")]


def wrong(command, done, took):
    says = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}"
    if "Sanitizer" in says or "Traceback" in says or "HDF5-DIAG" in says:
        return "a report of another"
    if done.returncode and "withy: " not in says:
        return "no message"
    if took > 60:
        return f"{took:.0f} s"
    for name in os.listdir("."):
        if name.startswith("bad") and os.path.isfile(name) and name != "bad.h5":
            text = open(name, "rb").read()
            if b"1234567.06" in text:
                return f"{name} holds what another file has"
            if name.endswith(".csv") and any(word in text.lower().split(b"\n", 40)[-1] for word in (b",nan", b",inf", b",-inf")):
                return f"{name} holds numbers that are none"
            if len(text) > 40 << 20:
                return f"{name} has {len(text)} bytes"
    return None


def clear():
    for name in os.listdir("."):
        if name.startswith("bad") and name != "bad.h5":
            os.remove(name) if os.path.isfile(name) else shutil.rmtree(name)


# ---- files that are known to have been too much ----------------------------------------------------------------------------

def set_numbers(f, path, value):
    """A list, or the rows of a table."""
    kept, rows = {name: what for name, what in f[path].attrs.items() if name != "check"}, f[path].chunks
    del f[path]
    f.create_dataset(path, data=value, **({"chunks": (min(len(value), 256), *value.shape[1:]), "maxshape": (None, *value.shape[1:])} if rows else {}))
    f[path].attrs.update(kept)


def many_contacts(f, count):
    for name in f["contacts"]:
        old = f["contacts"][name][()]
        set_numbers(f, "contacts/" + name, numpy.concatenate([old] * (count // len(old) + 1))[:count])
    f["contacts/t"][...] = f["time"][1]


def many_obstacles(f, count, kind):
    rows = len(f["time"])
    for name, text in ("name", b"".join(b"o%d\n" % i for i in range(count))), ("kind", kind * count):
        del f["obstacles"][name]
        f["obstacles"][name] = numpy.bytes_(text)
    set_numbers(f, "obstacles/size", numpy.tile(f["obstacles/size"][13:26], count))
    for name, shape in ("position", (rows, count, 3)), ("force", (rows, count, 3)), ("touches", (rows, count)), ("depth", (rows, count)):
        set_numbers(f, "obstacles/" + name, numpy.zeros(shape))
    for name in ("surface", "vertex", "triangle"):
        del f["obstacles"][name]


def many_surfaces(f, count, shared):
    vertices = 20 * count
    triangles = vertices if shared == "all" else count
    many_obstacles(f, count, b"mesh\n")
    row = numpy.zeros((count, 5))
    row[:, 1], row[:, 3], row[:, 4] = vertices, triangles, triangles
    if shared == "vertices":
        row[:, 2], row[:, 3] = numpy.arange(count), 1
    f["obstacles/surface"], f["obstacles/vertex"] = row.ravel(), numpy.random.rand(3 * vertices)
    f["obstacles/triangle"] = numpy.random.randint(0, vertices, 3 * triangles).astype(float)


def put_in(path, index, value):
    def do(f):
        numbers = f[path][()]
        numbers[index] = value
        f[path][...] = numbers
    return do


def busy(f):
    many_contacts(f, 4000)
    many_obstacles(f, 1000, b"box\n")


def one_station(f):
    for name in list(f["rod1"]):
        set_numbers(f, "rod1/" + name, f["rod1"][name][:1] if name == "s" else f["rod1"][name][:, :1])


KNOWN = {  # name: (change, is it refused?); None: who knows
    "a joint on body 3000000": (put_in("joints/parts", 0, -3e6), True), "a joint on rod 3": (put_in("joints/parts", 0, 3), True),
    "a contact of nothing": (put_in("contacts/parts", (0, 1), 0), True), "a contact of obstacle 4": (put_in("contacts/parts", (0, 1), -4), True),
    "a contact of body 3": (put_in("contacts/parts", (0, 1), -(1 << 20) - 3), True), "a contact of rod 2000000": (put_in("contacts/parts", (0, 1), 2e6), True),
    "a contact on no rod": (put_in("contacts/parts", (0, 0), 0), True), "one station": (one_station, True),
    "20000 contacts of one time": (lambda f: many_contacts(f, 20000), False), "1000 obstacles and 4000 contacts": (busy, False),
    "1000 obstacles of one surface": (lambda f: many_surfaces(f, 1000, "all"), False),
    "1000 surfaces of the same vertices": (lambda f: many_surfaces(f, 1000, "vertices"), True),
}


def written():
    """How much lies in files and folders that begin with bad."""
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names
               if (folder + "/" + name).startswith(("./bad", "././bad")) and name != "bad.h5")


def known():
    bad = 0
    for name, (do, refused) in KNOWN.items():
        change("network.h5", [])
        with h5py.File("bad.h5", "r+", libver="latest") as f:
            do(f)
        size = os.path.getsize("bad.h5")
        for command in COMMANDS[:4]:
            before = os.times().children_user
            done = withy(*command)
            took, fault = os.times().children_user - before, wrong(command, done, 0)
            if refused and command[0] == "export" and done.returncode == 0:
                fault = "is not refused"
            if refused is False and command[0] == "export" and done.returncode != 0:  # others need gnuplot or the page
                fault = "is refused"
            # work and output are bounded by the size of the file: 2 MB take 2 s at most (plot), and 5 times their size (as text)
            if took > (100 if SANITIZED else 10) or written() > 8 * size + (2 << 20):
                fault = f"{took:.1f} s, and {written()} bytes from {size}"
            if fault:
                bad += 1
                print(f"{name}: {' '.join(command)}: {fault}: {done.stderr.decode(errors='replace')[-300:]}")
            clear()
    return bad


def main():
    work = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    os.chdir(work.name)
    results = make_results()
    alone = [(result, [place]) for result in results for place in places(result)]
    draw.shuffle(alone)
    bad, ended, slowest = known(), {0: 0, 1: 0, 2: 0}, 0
    for i in range(count):
        result, many = alone[i] if i < len(alone) else (r := draw.choice(results), draw.sample(places(r), draw.randint(1, 3)))
        told = change(result, many)
        for command in COMMANDS if "restart" in str(many) or draw.random() < 0.1 else COMMANDS[:4]:
            if command[0] == "run":  # it is written to
                change_kept = open("bad.h5", "rb").read()
            start = time.process_time(), os.times()
            done = withy(*command)
            took = os.times().children_user - start[1].children_user
            slowest = max(slowest, took)
            ended[done.returncode] = ended.get(done.returncode, 0) + 1
            fault = wrong(command, done, took)
            if fault:
                bad += 1
                print(f"{result}: {told}: {' '.join(command)}: {fault}: {done.stderr.decode(errors='replace')[-600:]}")
                if os.environ.get("FOREIGN_KEEP"):
                    open(f"{os.environ['FOREIGN_KEEP']}/{seed}-{i}.h5", "wb").write(open("bad.h5", "rb").read())
            if command[0] == "run":
                open("bad.h5", "wb").write(change_kept)
            clear()
    print(f"{count} foreign results (seed {seed}, {len(alone)} places): {sum(ended.values())} commands, {ended[0]} succeed, {ended[2] + ended[1]} end with a message; "
          f"{bad} crash, hang, read another file or print none; the slowest took {slowest:.1f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
