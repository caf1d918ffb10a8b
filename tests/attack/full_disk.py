"""See full_disk.sh."""
import glob
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import wave
import xml.dom.minidom

program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
SCENE = """return {
  title = "rod",
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, time = { stop = 0.02, output = 0.001 }, path = { to = 1, steps = 3 }, options = { n = 6, dt = 1e-4 },
  probes = { tip = { at = 1, what = "position", every = 1e-3 } }, method = "director",
}
"""

# ---- is it whole? ----------------------------------------------------------------------------------


def ends(*marks):
    return lambda path: any(mark in open(path, "rb").read()[-64:] for mark in marks)


def is_xml(path):
    xml.dom.minidom.parse(path)
    return True


def is_table(path):
    lines = open(path).read().split("\n")
    rows = [line for line in lines[:-1] if not line.startswith("#")]
    return lines[-1] == "" and len(rows) > 1 and len({row.count(",") for row in rows}) == 1


def is_sound(path):
    with wave.open(path) as file:
        return len(file.readframes(10**6)) == 2 * file.getnframes() * file.getnchannels() > 0


def is_result(path):
    shutil.copy(path, "look.h5")
    done = subprocess.run([program, "export", "look.h5", "--csv"], capture_output=True, text=True)
    return done.returncode == 0 and "not complete" not in done.stdout


def is_film(path):
    data = open(path, "rb").read()
    return data[-1:] == b";" if path.endswith(".gif") else b"moov" in data and b"mdat" in data and len(data) > 1000


def is_report(path):
    json.load(open(path + "/report.json"))
    return ends(b"</html>")(path + "/index.html") and all(map(is_xml, glob.glob(path + "/*.svg")))


def is_json(path):
    json.load(open(path))
    return True


LOOK = {".svg": is_xml, ".pvd": is_xml, ".vtp": is_xml, ".png": ends(b"IEND"), ".pdf": ends(b"%%EOF"), ".csv": is_table,
        ".wav": is_sound, ".h5": is_result, ".gif": is_film, ".mp4": is_film, ".html": ends(b"</html>"), ".json": is_json}


def is_whole(path):
    try:
        return is_report(path) if os.path.isdir(path) else LOOK[os.path.splitext(path)[1]](path)
    except Exception as wrong:
        print(f"{path}: {wrong}")
        return False


# ---- outputs: command, and what it writes (the first also by that name to standard output) -----------

KINDS = [
    (["run", "rod.lua", "-q", "-o", "out/a.h5"], ["a.h5"]),
    (["run", "rod.lua", "-q", "-o", "out/a.csv"], ["a.csv", "a.ledger.csv", "a.probes.csv"]),
    (["run", "rod.lua", "-q", "-o", "out/a.pvd"], ["a.pvd", "a/000000.vtp", "a/000020.vtp"]),
    (["run", "rod.lua", "-q", "-o", "out/a.wav"], ["a.wav"]),
    (["run", "rod.lua", "-q", "-o", "out/a.h5", "-o", "out/a.csv", "-o", "out/a.pvd"],
     ["a.h5", "a.csv", "a.ledger.csv", "a.probes.csv", "a.pvd", "a/000000.vtp", "a/000020.vtp"]),
    (["static", "rod.lua", "-q", "-o", "out/s.h5"], ["s.h5"]),
    (["modes", "rod.lua", "-q", "-o", "out/m.h5"], ["m.h5"]),
    (["export", "result.h5", "--csv", "-o", "out/e.csv"], ["e.csv", "e.ledger.csv", "e.probes.csv"]),
    (["export", "result.h5", "--vtk", "-o", "out/e.pvd"], ["e.pvd", "e/000000.vtp", "e/000020.vtp"]),
    (["export", "result.h5", "--wav", "-o", "out/e.wav"], ["e.wav"]),
    (["plot", "result.h5", "-q", "-o", "out/p.svg"], ["p.svg"]),
    (["plot", "result.h5", "-q", "-o", "out/p.png", "--size", "300x200"], ["p.png"]),
    (["plot", "result.h5", "-q", "-o", "out/p.pdf"], ["p.pdf"]),
    (["plot", "rod.lua", "-q", "-o", "out/q.svg"], ["q.svg"]),
    (["compare", "rod.lua", "--static", "--methods", "director,se3", "--refine", "1", "--accuracy", "0.5", "-o", "out/c.svg"],
     ["c.svg"]),
    (["view", "result.h5", "-o", "out/v.html"], ["v.html"]),
    (["render", "result.h5", "-q", "-o", "out/f.gif", "--seconds", "0.2", "--fps", "5", "--size", "200x150"], ["f.gif"]),
    (["render", "result.h5", "-q", "-o", "out/f.mp4", "--seconds", "0.2", "--fps", "5", "--size", "200x150"], ["f.mp4"]),
    (["verify", "se3/notes", "fdtd/gain", "--report", "out/r"], ["r"]),
    (["run", "rod.lua", "--json"], ["stdout.json"]),
    (["check", "rod.lua", "--json"], ["stdout.json"]),
    (["list", "methods", "--json"], ["stdout.json"]),
]
tally = {"runs": 0, "kinds": 0, "failed": 0, "broken": 0, "lost": 0, "silent": 0, "left": 0}


def fail(what, command, why):
    tally[what] += 1
    print(f"{what}: {' '.join(command)}: {why}")


def run(command, files, limit=None):
    def bound():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    out = open("out/stdout.json", "wb") if files == ["stdout.json"] else subprocess.DEVNULL
    try:
        return subprocess.run([program, *command], stdout=out, stderr=subprocess.PIPE, preexec_fn=bound, timeout=900)
    finally:
        if out is not subprocess.DEVNULL:
            out.close()


def contents(folder):
    found = {}
    for path in sorted(glob.glob(folder + "/**", recursive=True)):
        if os.path.isfile(path):
            found[path] = open(path, "rb").read()
    return found


def put_old(files):
    """Old outputs: each of them whole, so that a reader would not notice a mixture; marked by their own bytes."""
    for name in files:
        if name == "stdout.json":
            continue
        path = "out/" + name
        if os.path.splitext(name)[1]:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "wb").write(b"old " + name.encode() * 100)
        else:
            os.makedirs(path, exist_ok=True)
            open(path + "/report.json", "wb").write(b"old report")


def judge(command, files, old, done):
    """Nothing is silent, lost or left; with status 0 everything is whole and new."""
    told = done.stderr.decode(errors="replace")
    now = contents("out")
    now.pop("out/stdout.json", None)
    tally["runs"] += 1
    if done.returncode == 0:
        for name in files:
            if not is_whole("out/" + name) or now.get("out/" + name) == old.get("out/" + name, b"none"):
                fail("broken", command, name)
    else:
        tally["failed"] += 1
        if done.returncode not in (1, 2) or "withy: " not in told:
            fail("silent", command, f"status {done.returncode}: {told[:300]}")
        several = command.count("-o") > 1  # those that could be written are kept
        for path, data in old.items():
            if now.get(path) != data and not several and not os.path.isdir("out/r"):
                fail("lost", command, f"{path}: {told[:300]}")
            if several and now.get(path) != data and not is_whole(path):
                fail("lost", command, path)
        if os.path.isdir("out/r") and b"old" not in now.get("out/r/report.json", b"old") and not is_whole("out/r/report.json"):
            fail("lost", command, "report.json")
    for path in now:  # a part of a run's result is kept, and named
        if "part-" in path and not (path.endswith(".h5") and path in told):
            fail("left", command, path)
    if os.listdir("tmp"):
        fail("left", command, os.listdir("tmp"))
        for path in glob.glob("tmp/*"):
            shutil.rmtree(path)


def clean():
    for path in glob.glob("out/*"):
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def attack(command, files, bound):
    """bound(size): a function that runs the command with so much room."""
    clean()
    run(command, files)
    if not all(is_whole("out/" + name) for name in files):
        return fail("broken", command, "even with room for all of it")
    most = max(map(len, contents("out").values()))
    tally["kinds"] += 1
    for i in range(count):
        clean()
        if i % 2 == 0:
            put_old(files)
        old = contents("out")
        judge(command, files, old, bound(command, files, int(1.2 * most * i / max(1, count - 1))))


def limited(command, files, size):
    return run(command, files, size)


def work():
    os.mkdir("out"), os.mkdir("tmp")
    os.environ["TMPDIR"] = os.path.abspath("tmp")
    open("rod.lua", "w").write(SCENE)
    subprocess.run([program, "run", "rod.lua", "-q", "-o", "result.h5"], check=True)
    tools = [tool for tool in ("gnuplot", "ffmpeg") if shutil.which(tool)]
    for command, files in KINDS if count > 4 else KINDS[::2]:
        needs = {"plot": "gnuplot", "compare": "gnuplot", "render": "ffmpeg"}.get(command[0])
        if needs and needs not in tools:
            continue
        attack(command, files, limited)
    small_disk()


def small_disk():
    """A real full disk, where we may make one: what is left of a megabyte."""
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "out"], capture_output=True).returncode:
        return
    try:
        for command, files in KINDS if count > 4 else KINDS[1::4]:
            for i in range(max(1, count // 10)):
                clean()
                put_old(files)
                room = os.statvfs("out")
                free = room.f_bavail * room.f_frsize
                open("out/filler", "wb").write(bytes(max(0, free - 4096 * i)))
                old = contents("out")
                judge(command, files, old, run(command, files))
                os.path.exists("out/filler") and os.unlink("out/filler")
    finally:
        subprocess.run(["umount", "out"], check=True)


base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # in memory: syncing is not what is tested here
folder = tempfile.mkdtemp(dir=base)
try:
    os.chdir(folder)
    work()
finally:
    os.chdir("/")
    shutil.rmtree(folder)
print(f"{tally['runs']} commands without room for their output, {tally['kinds']} kinds of output: {tally['failed']} failed with a message, "
      f"the others had room; {tally['broken']} broken files with status 0, {tally['lost']} old files lost, {tally['silent']} "
      f"failures without a message, {tally['left']} files left behind")
sys.exit(any(tally[what] for what in ("broken", "lost", "silent", "left")) or not tally["failed"])
