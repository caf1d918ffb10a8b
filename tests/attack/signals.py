"""See signals.sh."""
import glob
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
HEARD = 2.0  # [s] of processor time in which a command must end: it takes a tenth of it
FIRST = 32768  # [bytes] more than what is written of a result before its first snapshot
SLEEP = 1800  # [s] of a gnuplot or an ffmpeg that is in no hurry: a command must not wait for it
tally = {"commands": 0, "rows": 0, "kills": 0, "signals": 0, "wrong": 0}
latest = {"commands": [], "signals": []}
random.seed(1)


def fail(what):
    tally["wrong"] += 1
    print("wrong:", what)


def default_signals():
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def start(command, path=None):
    environment = dict(os.environ, PATH=path or os.environ["PATH"])
    return subprocess.Popen([program, *command], env=environment, stdout=subprocess.DEVNULL, stderr=open("err", "wb"),
                            stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=default_signals)


def work_of(pid):
    """Processor time [s] of a running process."""
    with open(f"/proc/{pid}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def ended():
    """Processor time [s] of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def end(process, number, again=None):
    """Send, wait, and return how long it took; None: it had ended before.  process.work: the processor time of it, which
    other programs on the machine do not make longer."""
    process.work = 0.0
    if process.poll() is not None:
        return None
    begin, before = time.monotonic(), ended() + work_of(process.pid)
    process.send_signal(number)
    if again:
        process.send_signal(again)
    try:
        process.wait(SLEEP / 2)
    except subprocess.TimeoutExpired:
        process.kill(), process.wait()
    process.work = ended() - before
    return time.monotonic() - begin


def nothing_left(what, process):
    left = glob.glob("*part-*") + glob.glob("tmp/*")
    if left:
        fail(f"{what}: left behind: {left}")
        for path in left:
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    try:
        os.killpg(process.pid, signal.SIGKILL)
        fail(f"{what}: a child process is left")
    except ProcessLookupError:
        pass


# ---- every command ---------------------------------------------------------------------------------

RUN = ["--quiet", "--set", "time.stop=1e6"]
COMMANDS = [
    ("run", ["run", "falling_rod", "-o", "o.h5", "-o", "o.csv", *RUN]),
    ("run, one long interval", ["run", "falling_rod", "-o", "o.h5", *RUN, "--set", "time.output=1e6"]),
    ("run with errors", ["run", "falling_rod", "--error", "-o", "o.h5", *RUN]),
    ("run with slow functions", ["run", "slow.lua", "-o", "o.h5", "-q"]),
    ("static", ["static", "heavy_cantilever", "-o", "o.h5", "-q", "--set", "path={to=1,steps=100000}"]),
    ("static, one point", ["static", "heavy_cantilever", "-m", "cheb", "-q", "--set", "options.n=250", "--set", "options.dt=auto"]),
    ("modes", ["modes", "heavy_cantilever", "-o", "o.h5", "-k", "200", "-q", "--set", "options.n=1000"]),
    ("compare", ["compare", "falling_rod", "--refine", "8", "--budget", "1e6", "-o", "o.svg"]),
    ("verify", ["verify", "elastica", "--report", "report"]),
    ("plot of a scene", ["plot", "falling_rod", "-o", "o.svg", "--set", "time.stop=1e6"]),
    ("plot while gnuplot draws", ["plot", "result.h5", "-o", "o.svg"]),
    ("render while gnuplot draws", ["render", "result.h5", "-o", "o.mp4", "--flat"]),
    ("render while pictures are shaded", ["render", "result.h5", "-o", "o.mp4", "--size", "1920x1080"]),
    ("render while ffmpeg joins", ["render", "small.h5", "-o", "o.mp4", "--seconds", "0.1", "--fps", "10", "--size", "200x150"]),
    ("view", ["view", *["result.h5"] * 6, "-o", "o.html"]),
    ("export to tables", ["export", "result.h5", "--csv"]),
    ("export to ParaView", ["export", "result.h5", "--vtk"]),
    ("check", ["check", "heavy.lua"]),
    ("sweep", ["sweep", "long.lua", "--over", "params.k=1,2", "-o", "o.h5", "-q"]),
    ("fit", ["fit", "long.lua", "--data", "long.csv", "--free", "params.k", "-o", "o.fit", "-q"]),
    ("fit by differences", ["fit", "long.lua", "--data", "long.csv", "--free", "params.k", "--differences", "-o", "o.fit", "-q"]),
]
SLOW = """local function f(t) local x = 0 for i = 1, 2e4 do x = x + 1e-9 * i end return 0, 0, 0 * x end
return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  loads = { distributed { force = function(s, t) return f(t) end } }, time = { stop = 1000 }, method = "director" }
"""
LONG = """local p = params { k = { 1, 0.5, 2 } }
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.3, rotary = 1e-5 } },
  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = 1, force = { 0, 0, p.k } } },
  time = { stop = 1e6, output = 1 }, method = "director", options = { n = 8, dt = 5e-3 } }
"""


def prepare():
    os.mkdir("tmp"), os.mkdir("slow")
    os.environ["TMPDIR"] = os.path.abspath("tmp")
    open("slow.lua", "w").write(SLOW)
    open("long.lua", "w").write(LONG)
    open("long.csv", "w").write("t,finish.z\n500000,0.1\n1000000,0.2\n")
    open("heavy.lua", "w").write("for i = 1, 1e9 do end return {}")
    for name in ("gnuplot", "ffmpeg"):
        open("slow/" + name, "w").write(f"#!/bin/sh\nexec sleep {SLEEP}\n")
        os.chmod("slow/" + name, 0o755)
    subprocess.run([program, "run", "falling_rod", "-q", "-o", "result.h5", "--set", "time.stop=4", "--set", "time.output=0.002"], check=True)
    subprocess.run([program, "run", "falling_rod", "-q", "-o", "small.h5", "--set", "time.stop=0.5"], check=True)


def path_for(name):
    """A gnuplot or an ffmpeg that takes long, where the command is to be stopped while it waits for it."""
    if "gnuplot draws" in name:
        return os.path.abspath("slow") + ":" + os.environ["PATH"]
    if "ffmpeg joins" in name:
        shutil.copy("slow/ffmpeg", "joins/ffmpeg")
        return os.path.abspath("joins") + ":" + os.environ["PATH"]
    return None


def stop_command(name, command, number):
    delay = 0.5 if "ffmpeg" in name else 0.12 if count > 2 else 0.07
    for _ in range(6):  # one that is quick is stopped earlier; one that is not yet in main, later
        process = start(command, path_for(name))
        time.sleep(delay)
        took = end(process, number)
        by_itself = process.returncode == 2 and "too many instructions" in open("err").read()  # its limit, in the same moment
        if by_itself and took is not None:
            took = None
        elif took is not None and process.returncode != -number:
            break
        if took is not None:
            delay *= 2
            continue
        if process.returncode != 0 and "too many instructions" not in open("err").read():  # by its limit, before the signal
            return fail(f"{name}: {open('err').read()[:200]}")
        delay *= 0.6
    what = f"{name}, {number.name}"
    if took is None:
        return print(f"{what}: too quick to be stopped")
    tally["commands"] += 1
    latest["commands"].append(took)
    if process.returncode != 130 or not process.work < HEARD or not took < SLEEP / 2:
        fail(f"{what}: status {process.returncode} after {took:.2f} s, {process.work:.2f} s of work: {open('err').read()[:200]}")
    nothing_left(what, process)
    for path in glob.glob("o.*"):
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def every_command():
    os.mkdir("joins")
    for name, command in COMMANDS:
        if ("gnuplot" in name or "ffmpeg" in name or "plot" in name) and not (shutil.which("gnuplot") and shutil.which("ffmpeg")):
            continue
        for number in SIGNALS:
            stop_command(name, command, number)


# ---- every integrator --------------------------------------------------------------------------------

CHEB = [("euler", "1e-7"), ("rk2", "1e-7"), ("rk3", "1e-7"), ("rk4", "1e-7"), ("ab2", "1e-7"), ("ab3", "1e-7"), ("midpoint", "1e-4"),
        ("alpha", "1e-4"), ("radau", "1e-4"), ("erk", "'auto'"), ("bdf", "'auto'")]
ROWS = [("cheb", f"options={{n=12,integrator='{name}',dt={dt}}}") for name, dt in CHEB]
ROWS += [(name, "options={n=16,dt=1e-4}") for name in ("director", "se3", "kirchhoff", "elastica", "fdtd")]
ROWS += [("director", "options={n=16,tol=1e-8}")]
SCENE = """return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e6, shear = 4e5, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -0.5 }, time = { stop = 1e4, output = 1e-3 } }
"""


def reads(path, wanted):
    """Is it a result, and does it say how it ended?  One that was killed before its first snapshot holds none; in its
    first write, which a kill cuts where a page ends, it is shorter than that write."""
    shutil.copy(path, "look.h5")
    done = subprocess.run([program, "export", "look.h5", "--csv"], capture_output=True, text=True)
    if done.returncode == 0:
        return f"# {wanted}" in open("look.csv").read()
    cut = "killed as it begins" in done.stderr and os.path.getsize(path) % 4096 == 0 and os.path.getsize(path) < FIRST
    return wanted == "running" and ("holds no snapshot" in done.stderr or cut)


def begin_run(method, options, with_old):
    for path in glob.glob("o*"):
        os.unlink(path)
    if with_old:
        shutil.copy("small.h5", "o.h5")
    process = start(["run", "swing.lua", "-m", method, "--set", options, "-o", "o.h5", "-q"])
    time.sleep(random.uniform(0.01, 0.15))
    return process


def kill_once(method, options, with_old, old):
    process = begin_run(method, options, with_old)
    end(process, signal.SIGKILL)
    tally["kills"] += 1
    what = f"{method}, {options}: killed"
    if with_old and open("o.h5", "rb").read() != old:
        fail(f"{what}: the old result is lost")
    parts = glob.glob("o.part-*")
    if len(parts) > 1:
        fail(f"{what}: {parts}")
    for path in parts if with_old else glob.glob("o.h5"):
        if os.path.getsize(path) and not reads(path, "running"):
            fail(f"{what}: {path} cannot be read")
    for path in parts:
        os.unlink(path)


def signal_once(method, options, with_old, old, number, again):
    process = begin_run(method, options, with_old)
    took = end(process, number, again)
    tally["signals"] += 1
    latest["signals"].append(took or 0)
    what = f"{method}, {options}: {number.name}"
    early = -process.returncode in SIGNALS  # before main: as if it had not been started
    if took is None or (process.returncode != 130 and not early) or not process.work < HEARD or not took < SLEEP / 2:
        fail(f"{what}: status {process.returncode} after {took} s, {process.work:.2f} s of work: {open('err').read()[:200]}")
    kept = os.path.exists("o.h5") and open("o.h5", "rb").read() == old
    if os.path.exists("o.h5") and not kept and not reads("o.h5", "interrupted"):
        fail(f"{what}: the file is not finished")
    if with_old and not os.path.exists("o.h5"):
        fail(f"{what}: the old result is lost")
    nothing_left(what, process)


def every_integrator():
    old = open("small.h5", "rb").read()
    open("swing.lua", "w").write(SCENE)
    for method, options in ROWS if count > 2 else ROWS[::6]:
        trial = subprocess.run([program, "run", "swing.lua", "-m", method, "--set", options, "--set", "time.stop=1e-3", "-q"],
                               capture_output=True, text=True)
        if "not in this build" in trial.stderr or "SUNDIALS" in trial.stderr:
            continue
        if trial.returncode != 0:
            fail(f"{method}, {options}: {trial.stderr}")
        tally["rows"] += 1
        for i in range(count):
            kill_once(method, options, i % 2, old)
            signal_once(method, options, i % 4 < 2, old, SIGNALS[i % 3], SIGNALS[(i + 1) % 3] if i % 2 else None)


base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
folder = tempfile.mkdtemp(dir=base)
try:
    os.chdir(folder)
    prepare()
    every_command()
    every_integrator()
finally:
    os.chdir("/")
    shutil.rmtree(folder)


def times(list):
    list.sort()
    return f"handled within {list[len(list) // 2]:.3f} s at the median, {list[-1]:.2f} s at most"


print(f"{tally['commands']} signals to {len(COMMANDS)} commands: {times(latest['commands'])}; nothing was left behind"
      if not tally["wrong"] else f"{tally['wrong']} violations")
print(f"{tally['kills']} kills and {tally['signals']} signals to runs of {tally['rows']} methods and integrators: {times(latest['signals'])}; "
      f"{tally['wrong']} violations")
sys.exit(tally["wrong"] > 0)
