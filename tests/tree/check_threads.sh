#!/bin/sh
# No data race while several threads work on simulations, scenes, files and lists of their own: test_threads under the thread
# sanitizer.  Threads share nothing but variables of the library, so only the files that have some are compiled again with the
# sanitizer, with fdtd, which uses threads itself; the others are taken from the build.  make attack instruments everything.
exec python3 - "$1" "$2" <<'PY'
import json, os, pathlib, re, shlex, subprocess, sys, tempfile

root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
THREADED = re.compile(r"/src/(base/thread_pool|method/fdtd/(fdtd|group|load))\.c$") # fdtd shares its rods out among threads

def section_sizes(objects):
    """{object: bytes of variables}"""
    text = subprocess.run(["size", "-A", *objects], capture_output=True, text=True, check=True).stdout
    sizes, name = {}, None
    for line in text.splitlines():
        head = re.match(r"(\S+)\s+:$", line)
        if head:
            name = head[1]
            sizes[name] = 0
        part = re.match(r"\.(bss|data|data\.rel|data\.rel\.local)\s+(\d+)", line)
        if part:
            sizes[name] += int(part[2])
    return sizes

commands = {}
for entry in json.loads((build / "compile_commands.json").read_text()):
    target = re.search(r" -o (\S+\.o) ", entry["command"])
    path = pathlib.Path(entry["directory"]) / target[1]
    if re.search(r"CMakeFiles/(withy_(common|system|kernel_\w+)|test_threads)\.dir/", target[1]) and path.exists():
        commands[str(path)] = entry
test = [o for o in commands if "/test_threads.dir/" in o]
if not test:
    sys.exit("check_threads: test_threads is not in the build")
sizes = section_sizes([o for o in commands if o not in test])
chosen = sorted(o for o in sizes if sizes[o] or THREADED.search(commands[o]["file"]) and "_kernel_" not in o)

with tempfile.TemporaryDirectory() as work:
    made = []
    jobs = []
    for number, name in enumerate(chosen + test):
        words = shlex.split(commands[name]["command"])
        out = f"{work}/{number}.o"
        words[words.index("-o") + 1] = out
        words += ["-fsanitize=thread", "-O1", "-g1"]
        jobs.append((words, commands[name]["directory"]))
        made.append(out)
    running = []
    for words, folder in jobs:
        running.append(subprocess.Popen(words, cwd=folder))
        if len(running) >= 2 and running.pop(0).wait():
            sys.exit("check_threads: a file does not compile")
    if any(p.wait() for p in running):
        sys.exit("check_threads: a file does not compile")
    folder = build / "tests"
    link = shlex.split((folder / "CMakeFiles/test_threads.dir/link.txt").read_text())
    link = [w for w in link if not w.endswith("test_threads.c.o")]
    at = link.index("-o")
    link[at + 1] = f"{work}/test_threads"
    link[at:at] = ["-fsanitize=thread", *made]
    if subprocess.run(link, cwd=folder).returncode:
        sys.exit("check_threads: the test cannot be linked")
    environment = dict(os.environ, TSAN_OPTIONS="halt_on_error=1 exitcode=66")
    done = subprocess.run([f"{work}/test_threads"], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit((done.stdout + done.stderr)[-6000:])
    print(f"threads: no race in test_threads; {len(chosen)} files of the library instrumented")
PY
