#!/usr/bin/env python3
"""Every attack on withy, two at a time, and the page docs/reliability.md from what they print.

usage: attack.py BUILD FUZZ_BUILD [--share S] [--only TEXT] [--page FILE] [--again]

--share 0.01 runs a hundredth of each; the page is written only when everything has run in full (or where
--page says).  --only irrelevant runs those that have this word in their command.  An attack prints one line or
more that begin with a number and fails on the first violation.  All of them take more than an hour: those that have
held for the same sources are kept in BUILD/attack.json and not repeated, so that a run that was interrupted
continues; --again repeats them.
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(HERE)
LIMIT = 7200  # [s] after which an attack hangs: each ends within half an hour on two cores

# what is attacked; what must hold; command, where {n} is a count that --share reduces; full counts
ATTACKS = [
    ("Damaged results through export, view, plot and render",
     "no crash, no hang over 5 s, no number from outside the file or from a damaged part of it",
     ["sh", "tests/attack/damaged.sh", "{build}/withy", "{n}"], 10000),
    ("Hostile texts and names through plot, render, view, compare and export",
     "no command is run, no script is run in Chromium, no control character is printed",
     ["sh", "tests/attack/hostile_names.sh", "{build}/withy", "{n}"], 1000),
    ("No room for the output, at this many sizes, for every kind of output",
     "no broken file with status 0, no old file lost",
     ["sh", "tests/attack/full_disk.sh", "{build}/withy", "{n}"], 50),
    ("Runs of six methods and sweeps killed with kill -9 at this many random moments each, then gone on with",
     "the file is that of a run that was not interrupted, every number bit for bit",
     ["sh", "tests/attack/restart.sh", "{build}/withy", "{n}"], 50),
    ("A sweep by threads and by processes of MPI; any one of them killed with kill -9 at this many random moments",
     "the same file by any number of them, and after --resume, bit for bit",
     ["sh", "tests/attack/mpi.sh", "{build}/withy", "{n}"], 20),
    ("Kills and signals, this many per method and integrator",
     "what is left is whole or absent, the old file stays, nothing temporary is left after a signal",
     ["sh", "tests/attack/signals.sh", "{build}/withy", "{n}"], 100),
    ("Scenes and results from a fuzzer under address and undefined-behaviour sanitizers",
     "no crash, no leak, no hang",
     ["sh", "tests/fuzz/run.sh", "{fuzz}", "{n}"], 100000),
    ("States, checkpoints and results whose numbers, sizes and names say anything, with right checksums and hashes, under "
     "address and undefined-behaviour sanitizers: restored, run on, exported, viewed and plotted",
     "no crash, no read outside, no hang, a refusal has a message",
     ["sh", "tests/attack/hostile.sh", "{build}/dev/withy", "{n}"], 100000),
    ("Results in which this many parts are missing or have another shape, type or place, through export, view, plot and "
     "run --resume",
     "no crash, no hang, no other file is read, memory and time bounded by the size of the file",
     ["/usr/bin/python3", "tests/attack/foreign.py", "{build}/withy", "{n}"], 2000),
    ("Random columns (this many), frames, and paths of shallow trusses, at five slendernesses each",
     "the unstable directions of beam elements, and the limit points of a prescribed displacement",
     ["{build}/tests/test_stability", "{n}"], 100),
    ("Random arches, at five slendernesses each",
     "the unstable directions, limit and branch points of corotational beams",
     ["{build}/tests/test_arches", "{n}"], 60),
    ("Random rods next to an obstacle, a body and a rod far away, with a load of zero, other names, cut and welded",
     "the same motion, equilibrium, frequencies and notes: to the last bit, or to rounding where sums have another order",
     ["{build}/tests/test_irrelevant", "{n}"], 2000),
    ("Every case next to them",
     "the same motion, equilibrium, frequencies and notes",
     ["{build}/tests/test_irrelevant", "cases"], 1),
    ("The same, along paths of equilibria, and their derivatives",
     "the same points, critical factors and derivatives, and the same words where they are refused",
     ["{build}/tests/test_irrelevant_paths", "{n}"], 2000),
    ("Every case with a path next to them, and fits",
     "the same points, critical factors, parameters and errors",
     ["{build}/tests/test_irrelevant_paths", "cases"], 1),
    ("Random cables of low bending stiffness (1 cm .. 1 km, sag 0 .. 50 %, EI/(T L^2) 1e-12 .. 1e-2), moved at one end, and at rest",
     "a run agrees with those on finer meshes, or has a note on its mesh, or is refused or stopped with the reason; at rest the "
     "forces are those of the elastic catenary",
     ["{build}/tests/test_taut", "{n}"], 1000),
    ("Random rods under every method, with loads, speeds and steps far beyond what is sensible",
     "every number is finite, energy is within the stated bound, or the run fails with a message",
     ["{build}/tests/test_rods", "{n}", "10000"], 2000),
    ("Every case as it is shown, also those that take seconds",
     "a note about its mesh, its step or rods that pass through each other is true",
     ["{build}/tests/test_gallery", "all"], 1),
    ("Every test of the suite that runs under sanitizers",
     "no error",
     ["sh", "-c", "cmake --build {build}/dev -j 2 >/dev/null && cd {build}/dev && WITHY_TEST_DAY=all ctest -j 1 >log 2>&1; "
      "status=$?; tail -n 40 log | grep -E 'tests passed|Failed'; exit $status"], 1),
    ("An ensemble of 4096 rods with actions at random, this many times ten steps, resets and members driven to failure",
     "every number is finite, every failure has its message, memory stays",
     ["sh", "tests/attack/ensemble.sh", "{build}", "{n}"], 1000),
    ("The commands under valgrind",
     "no invalid access, no use of memory that was not written",
     ["sh", "tests/attack/valgrind.sh", "{build}/withy"], 1),
    ("Simulations, scenes, files, lists and comparisons in several threads, under the thread sanitizer",
     "no race",
     ["sh", "tests/attack/threads.sh"], 1),
]


def run(attack, build, fuzz, share):
    what, holds, command, full = attack
    count = max(2, math.ceil(full * share))
    argv = [part.format(build=build, fuzz=fuzz, n=count) for part in command]
    begin = time.monotonic()
    try:
        done = subprocess.run(argv, cwd=TREE, text=True, timeout=LIMIT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, status = (late.stdout or b"").decode(errors="replace") + "\nit took too long\n", 1
    lines = [line.strip() for line in text.splitlines() if line.strip()[:1].isdigit() or line.startswith("skipped")]
    lines += [line for line in text.splitlines() if line.startswith("rods:")]
    seconds = time.monotonic() - begin
    print(f"attack: {what}: {'held' if status == 0 else 'BROKEN'} ({seconds:.0f} s)", flush=True)
    print("".join(f"    {line}\n" for line in (lines if status == 0 else text.splitlines()[-30:])), end="", flush=True)
    return what, holds, lines, status


def sources():
    """What is attacked and by what: a hash of the files that git has, as they are now."""
    names = subprocess.check_output(["git", "ls-files", "-z", "src", "include", "cli", "cases", "tests"], cwd=TREE).split(b"\0")
    sum_of = hashlib.sha256()
    for name in filter(None, names):
        with open(os.path.join(os.fsencode(TREE), name), "rb") as file:
            sum_of.update(name + b"\0" + hashlib.sha256(file.read()).digest())
    return sum_of.hexdigest()


class Kept:
    """The rows that have held, in a file next to the build."""

    def __init__(self, file, again):
        self.file, self.key, self.rows = file, sources(), {}
        if not again and os.path.exists(file):
            with open(file, encoding="utf8") as old:
                kept = json.load(old)
            self.rows = kept["rows"] if kept["sources"] == self.key else {}

    def add(self, row):
        self.rows[row[0]] = row
        with open(self.file + ".part", "w", encoding="utf8") as new:
            json.dump({"sources": self.key, "rows": self.rows}, new, indent=1)
        os.replace(self.file + ".part", self.file)


def page(rows, version):
    out = ["# Reliability", "",
           f"Attempts to break withy {version}, and their outcome. `make attack` repeats them and writes this page",
           "(more than an hour on two cores; one that is interrupted continues); the test suite runs a small share of them.", "",
           "| attack | what must hold | outcome |", "|---|---|---|"]
    out += [f"| {what} | {holds} | {'; '.join(lines)} |" for what, holds, lines, _ in rows]
    out += ["", open(os.path.join(HERE, "reliability.md"), encoding="utf8").read().rstrip(), ""]
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("fuzz")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", metavar="TEXT", default="")
    parser.add_argument("--page")
    parser.add_argument("--again", action="store_true")
    args = parser.parse_args()
    build, fuzz = os.path.abspath(args.build), os.path.abspath(args.fuzz)
    kept = Kept(os.path.join(build, "attack.json"), args.again or args.share < 1)
    lock = threading.Lock()

    def one(attack):
        if attack[0] in kept.rows:
            print(f"attack: {attack[0]}: held before", flush=True)
            return kept.rows[attack[0]]
        row = run(attack, build, fuzz, args.share)
        with lock:
            if row[3] == 0 and args.share >= 1:
                kept.add(row)
        return row

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(one, [attack for attack in ATTACKS if args.only in " ".join(attack[2])]))
    broken = [row[0] for row in rows if row[3] != 0]
    whole = args.share >= 1 and not args.only
    target = args.page or (os.path.join(TREE, "docs", "reliability.md") if whole else None)
    if not broken and target:
        version = subprocess.check_output([os.path.join(build, "withy"), "--version"], text=True).split()[1]
        with open(target, "w", encoding="utf8") as file:
            file.write(page(rows, version))
    print(f"attack: {len(rows) - len(broken)} of {len(rows)} held")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
