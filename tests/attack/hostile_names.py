"""See hostile_names.sh."""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

import h5py
import numpy

program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
random.seed(1)
CHROMIUM = (os.environ.get("CHROMIUM") or shutil.which("chromium")) if count > 10 else None  # seconds a page
SCENE = """return {
  title = "good",
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, probes = { tip = { at = 1, what = "position" } }, path = { to = 1, steps = 4 }, time = { stop = 0.01 },
}
"""
# What means something to a shell, to gnuplot, ffmpeg, HTML, JavaScript, JSON, a spreadsheet, XML, printf, or a terminal.
PIECES = [
    "'", '"', "`", "\\", "\n", "\r", "\t", " ", ";", "|", "&", "<", ">", "#", "%", "$", "@", "=", "+", "-", "!", "{", "}", "[", "]", "*", "?",
    "--", "-o", "--json", "/*", "*/", "//", "]]>", "<![CDATA[", "<!--", "-->", "&lt;", "\\u003c", "${IFS}", "%s%n", "%06d", "{/=90 y}", "^_", "~",
    "system('touch PWN')", "'; system('touch PWN') #", "\"; system(\"touch PWN\") #", "`touch PWN`", "$(touch PWN)", "|touch PWN", ";touch PWN;",
    "\nsystem('touch PWN')\n", "' . system('touch PWN') . '", "\nset output '|touch PWN'\n", "EOD\n!touch PWN\n", "@PWN", "<touch PWN>", "\n!touch PWN\n",
    "<script>document.documentElement.dataset.pwn=1</script>", "</script><script>document.documentElement.dataset.pwn=1</script>", "<img src=x onerror=\"document.documentElement.dataset.pwn=1\">",
    "<svg onload=document.documentElement.dataset.pwn=1>", "javascript:document.documentElement.dataset.pwn=1", "\";document.documentElement.dataset.pwn=1;\"", "';document.documentElement.dataset.pwn=1;'", "\u2028",
    "</title><script>document.documentElement.dataset.pwn=1</script>", "<base href=//PWN>", "<meta http-equiv=refresh content='0;url=data:text/html,PWN'>",
    "=cmd|'/c touch PWN'!A1", "=HYPERLINK(\"x\")", "\x1b]0;PWN\x07", "\x1b[2J", "\x9b31m", "\x07", "\x08", "\x7f", "\u202e", "\u2066", "\x00"[:0],
]
WRONG = [b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88", b"\x80", b"\xc0\xaf"]
tally = {"texts": 0, "commands": 0, "pages": 0, "executed": 0, "scripts": 0, "shown": 0, "silent": 0, "unnamed": 0, "broken": 0}


def fail(what, why):
    tally[what] += 1
    print(f"{what}: {why!r}")


def text():
    parts = [random.choice(WRONG) if random.random() < 0.05 else random.choice(PIECES).encode() for _ in range(random.randint(1, 6))]
    return b"".join(parts)


def name(ending):
    """Any bytes but NUL and a slash; XML, which the list for ParaView is, takes no control characters."""
    made = text().replace(b"/", b"").replace(b"\0", b"")[:150]
    if ending == b".pvd":
        made = re.sub(rb"[\x00-\x1f\x7f]", b"", made).decode(errors="ignore").encode()
    return (made or b"x") + ending


def spoil(path, what, keys):
    def put(thing):
        for key in keys:
            if key in thing.attrs:
                del thing.attrs[key]
                thing.attrs[key] = numpy.bytes_(what)
    shutil.copy("good.h5", path)
    with h5py.File(path, "r+", libver="latest") as file:
        put(file)
        file.visititems(lambda _, thing: put(thing))
        for key in ("status", "scene", "notes"):
            del file[key]
            file[key] = numpy.bytes_(what)


def run(command, output=None):
    done = subprocess.run([program.encode(), *command], capture_output=True, stdin=subprocess.DEVNULL, timeout=900)
    tally["commands"] += 1
    said = done.stdout + done.stderr
    if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", said) or re.search("[\x80-\x9f\u2028-\u202e\u2066-\u2069]", said.decode(errors="replace")):
        fail("shown", (command, said))
    if said.decode(errors="replace").encode() != said:
        fail("shown", (command, said))
    if done.returncode not in (0, 1, 2) or (done.returncode and b"withy: " not in done.stderr):
        fail("silent", (command, done.returncode, said))
    if done.returncode == 0 and output and not (os.path.exists(output) and os.path.getsize(output)):
        fail("unnamed", (command, output))
    if glob.glob("PWN*") or glob.glob("tmp/PWN*"):
        fail("executed", command)
        for path in glob.glob("PWN*") + glob.glob("tmp/PWN*"):
            os.unlink(path)
    return done.returncode


def clean(*paths):
    for path in paths:
        shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.unlink(path)


def plot(result, i, what):
    ending = [b".svg", b".png", b".pdf"][i % 10 if i % 10 < 3 else 0]
    out = name(ending)
    options = [b"--shapes", b"--energy", b"--probes"] if i % 7 else [b"--frames-grid", b"3"]
    if run([b"plot", *options, b"--output=" + out, b"--", result], out) == 0 and ending == b".svg":
        try:
            xml.dom.minidom.parse(os.fsdecode(out))
        except Exception as wrong:
            fail("broken", (what, wrong, open(out, "rb").read().splitlines()[wrong.lineno - 1]))
    clean(out)


def export(result, i):
    kind, ending = [(b"--csv", b".csv"), (b"--vtk", b".pvd"), (b"--csv", b".csv")][i % 3]
    out = name(ending)
    if run([b"export", kind, b"--output=" + out, b"--", result], out) == 0 and ending == b".pvd":
        listed = xml.dom.minidom.parse(os.fsdecode(out)).getElementsByTagName("DataSet")[0].getAttribute("file")
        if not os.path.exists(listed):
            fail("unnamed", (out, listed))
    for path in glob.glob(glob.escape(out[:-4]) + b"*"):
        if path != result:
            clean(path)


def compare(i):
    scene, out = name(b".lua"), name(b".svg")
    shutil.copy("good.lua", scene)
    run([b"compare", b"--static", b"--methods", b"director,se3", b"--refine", b"1", b"--accuracy", b"0.5", b"--output=" + out, b"--",
         scene], out)
    clean(scene, out)


def render(result, i):
    out = name([b".gif", b".mp4"][i % 2])
    run([b"render", b"--seconds", b"0.2", b"--fps", b"5", b"--size", b"200x150", b"--output=" + out, b"--", result], out)
    clean(out)


def view(results):
    out = b"page.html"
    if not results or run([b"view", b"-o", out, b"--", *results], out) != 0 or not CHROMIUM:
        return clean(out)
    page = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                           "--no-first-run", "--disable-background-networking", "--user-data-dir=" + os.path.abspath("profile"), "--dump-dom",
                           "file://" + os.path.abspath("page.html")], capture_output=True, text=True, timeout=900, errors="replace").stdout
    tally["pages"] += 1
    begin = re.search("<html[^>]*>", page)
    if not begin or "data-pwn" in begin[0]:
        fail("scripts", (results, page[:300]))
    clean(out)


def work():
    os.mkdir("tmp")
    os.environ["TMPDIR"] = os.path.abspath("tmp")
    open("good.lua", "w").write(SCENE)
    subprocess.run([program, "static", "good.lua", "-q", "-o", "good.h5"], check=True)
    tools = {tool: shutil.which(tool) for tool in ("gnuplot", "ffmpeg")}
    waiting = []
    for i in range(count):
        result = name(b".h5")
        refused = i % 20 == 19  # a quantity that does not exist
        keys = ("axis", "title", "method", "version", "scene_name", "name", "section") + ("what",) * refused
        what = text()
        spoil(os.fsdecode(result), what, keys)
        tally["texts"] += 1
        if tools["gnuplot"]:
            plot(result, i, what)
        export(result, i)
        if i % 5 == 0 and tools["gnuplot"]:
            compare(i)
        if i % 10 == 0 and all(tools.values()):
            render(result, i)
        shown = b"./r%d.h5" % (i % 6)
        os.replace(result, shown)
        if not refused:
            waiting.append(shown)
        if len(waiting) == 6 or i == count - 1:
            view(waiting)
            waiting = []


base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
folder = tempfile.mkdtemp(dir=base)
try:
    os.chdir(folder)
    work()
finally:
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)
print(f"{tally['texts']} hostile texts and names through {tally['commands']} commands, {tally['pages']} pages in Chromium: {tally['executed']} "
      f"commands run, {tally['scripts']} scripts run, {tally['shown']} control characters shown, {tally['silent']} failures without a "
      f"message, {tally['unnamed']} outputs without their name, {tally['broken']} pictures broken by a text")
sys.exit(any(tally[what] for what in ("executed", "scripts", "shown", "silent", "unnamed", "broken")))
