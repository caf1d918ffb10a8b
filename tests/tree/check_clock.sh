#!/bin/sh
# No test has a limit by the clock that a machine four times slower meets (CONTRIBUTING.md): a limit by the wall clock is
# a guard against hangs, 600 s at least; who reads a wall clock or the processor's is listed here with the reason.
python3 - "$1" <<'PYTHON'
import pathlib, re, subprocess, sys

root, LEAST = pathlib.Path(sys.argv[1]), 600  # [s]
PLACES = ["tests", "studies", "viewer/test", "web/test", "web/agree.mjs", "site/test", "python/tests", "tools/site.py", "tools/attack.py"]
NAME = r"(\$\{\w+\}|[\w.]+)(?: */ *(\d+))?"
# a limit, and how many of its units are a second
LIMITS = [(r"\bTIMEOUT " + NAME, 1), (r"\btimeout ((?:-\S+ )*)" + NAME + r" \S", 1), (r"-timeout=(\d+)()", 1), (r"\btimeout ?= ?" + NAME, 1),
          (r"\.wait\(" + NAME + r"\)", 1), (r"\balarm\(" + NAME + r"\)", 1), (r"\b(?:protocolT|t)imeout: " + NAME, 1000),
          (r"setDefaultTimeout\(" + NAME + r"\)", 1000), (r"ITIMER_REAL()", 1)]
# A clock that is read: nothing but what is said here depends on it.
READS = {
    "tests/machine_speed.h": "how fast this machine is: what limits of processor time are multiplied by",
    "tests/message/test_scene_hostile.c": "processor time, times machine_speed()",
    "tests/unit/test_stop.c": "processor time, times machine_speed()",
    "studies/director_sweep.h": "printed",
    "tests/unit/test_meshes.c": "printed",
    "tests/fuzz/test_hostile_state.c": "printed",
    "tests/property/test_catenaries.c": "printed",
    "tests/attack/foreign.py": "processor time, far beyond what it takes",
    "tests/unit/test_director_sweep.c": "printed",
    "tests/property/test_tangles.c": "printed",
    "tests/unit/test_sweep.c": "when a child is killed: any moment does",
    "tests/unit/test_restart.c": "when a child is killed: any moment does",
    "tests/attack/test_bodies.c": "a run that takes long is stopped, which is no failure",
    "tests/attack/test_rods.c": "a run that takes long is stopped, which is no failure",
    "tests/attack/mpi.sh": "when a process is killed: any moment does",
    "tests/attack/signals.py": "a command is to end long before the half hour that what it waits for takes",
    "python/tests/test_withy.py": "processor time, over ten times what it takes",
    "python/tests/test_robust.py": "processor time, over ten times what it takes",
    "tools/attack.py": "printed",
    "viewer/test/viewer.test.mjs": "two times of the same page are compared",
    "web/test/playground.test.mjs": "printed; limits with FREE=1 only, on a machine that is free",
    "web/agree.mjs": "printed",
}
READ = re.compile(r"\bclock\(\)|CLOCK_(MONOTONIC|REALTIME)|\bgettimeofday|time\.(time|monotonic|perf_counter|process_time)\(|performance\.now|"
                  r"Date\.now|date \+%s|\btime\(NULL\)|process\.hrtime")
wrong, limits, reads = [], 0, set()


def number(word, by, text):
    """What a limit is: itself, or the constant that the file defines."""
    word = word.strip("${}")
    if not re.fullmatch(r"[\d.]+", word):
        found = re.search(r"\b" + re.escape(word) + r"(?: = | )(\d+)", text)
        if not found:
            return None
        word = found[1]
    return float(word) / float(by or 1)


for file in subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", *PLACES], capture_output=True, text=True, check=True).stdout.split():
    path = root / file
    if path.suffix not in (".c", ".h", ".py", ".sh", ".mjs", ".txt") or file == "tests/tree/check_clock.sh" or not path.is_file():
        continue
    text = path.read_text(errors="replace")
    for at, line in enumerate(text.splitlines(), 1):
        for pattern, unit in LIMITS:
            for found in re.finditer(pattern, line):
                if "-s INT" in line and "timeout" in found[0]:  # sends a signal after a while
                    continue
                word, by = (found[2], found[3]) if found.re.groups == 3 else (found[1], found[2]) if found.re.groups == 2 else ("0", None)
                limits += 1
                value = number(word, by, text)
                if value is None or value / unit < LEAST:
                    wrong.append(f"{file}:{at}: {found[0].strip()}: a limit of time by the clock is {LEAST} s at least, against hangs only")
        if READ.search(line) and "86400" not in line:  # the day, as a seed
            reads.add(file)
    if path.suffix == ".mjs" and "newPage(" in text and text.count("newPage(") > text.count("setDefaultTimeout("):
        wrong.append(f"{file}: a page waits 30 s unless setDefaultTimeout says otherwise")
wrong += [f"{f}: reads a clock; say in tests/tree/check_clock.sh why a slower machine does not fail by it" for f in sorted(reads - set(READS))]
wrong += [f"{f}: reads no clock any more" for f in sorted(set(READS) - reads)]
print("\n".join(wrong) or f"{limits} guards against hangs, {LEAST} s or more; {len(reads)} files read a clock")
sys.exit(bool(wrong) or limits < 15)
PYTHON
