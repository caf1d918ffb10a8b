#!/usr/bin/env python3
"""The sources under other compilers and with other libraries, without warnings.  gcc and clang only read, so that the
whole takes seconds; `make minimal`, `make core` and `make tidy` do the same in full.  members: (&a.x)[1] is not a.y.
still: cheb compiled by clang finds the equilibrium that it finds compiled by the compiler of the build.

usage: check_builds.py SOURCE_DIR BUILD_DIR [NAME ...]     (BUILD_DIR has compile_commands.json)
"""
import functools
import json
import multiprocessing.pool
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

WARN = """-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
 -Wno-psabi -Werror""".split()
# Those of .clang-tidy without the analyzer, which takes seconds a file (make tidy).
TIDY = "clang-diagnostic-*,-clang-analyzer-*"
TOGETHER = 16  # files that one clang-tidy reads: its start takes as long as a file


def read_commands(root, build):
    """[(source, target, flags)] of the library and the program."""
    rows = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(root) or source.is_relative_to(build):
            continue
        path = source.relative_to(root).as_posix()
        words = shlex.split(entry["command"])
        target = re.search(r"CMakeFiles/(\w+)\.dir/", entry["command"])[1]
        if not path.startswith(("src/", "cli/", "studies/")) or re.match(r"withy_kernel_v", target):
            continue
        flags = []
        for i, word in enumerate(words):
            if word.startswith(("-I", "-D")) and not re.match(r"-Dwy_\w+=wy_", word):
                flags.append(word)
            elif word == "-isystem":
                flags += [word, words[i + 1]]
        rows.setdefault((path, target), flags)
    return [(path, target, flags) for (path, target), flags in sorted(rows.items())]


def keep(flags, pattern):
    return [f for f in flags if not f.startswith("-DWITHY_HAVE_") or re.match(pattern, f)]


@functools.lru_cache(maxsize=None)
def closure(root, path):
    """The files of the tree that a file includes, itself too."""
    found, queue = set(), [path]
    while queue:
        file = queue.pop()
        if file in found:
            continue
        found.add(file)
        for name in re.findall(r'^ *# *include "([^"]+)"', file.read_text(), re.M):
            places = [folder / name for folder in (file.parent, root / "include", root / "src", root / "cli", root / "studies")]
            queue += [place.resolve() for place in places if place.is_file()]
    return found


def sees(root, path, flags, fewer):
    """Whether a file is another text to the compiler with fewer flags: one that is not is compiled as it is by the build,
    where its warnings are errors (the one for the sanitizers)."""
    gone = {re.match(r"-D(\w+)", f)[1] for f in flags if f not in fewer}
    return bool(gone) and any("_POSIX_C_SOURCE" in gone or re.search(r"\b(%s)\b" % "|".join(gone), file.read_text())
                              for file in closure(root, root / path))


def jobs_of(root, rows, names):
    """(name, command) of everything that is read."""
    clang, tidy = shutil.which("clang"), shutil.which("clang-tidy")
    tidied = {}  # flags: sources
    for path, target, flags in rows:
        core = target in ("withy_common", "withy_plain", "withy_kernel_base")
        minimal = keep(flags, "-DWITHY_HAVE_(LIB_LUA|THREADS)")
        bare = [f for f in keep(flags, "$") if not f.startswith("-D_POSIX")]
        source = str(root / path)
        # clang-tidy has clang's own warnings too
        if "clang" in names and clang and not (tidy and "tidy" in names and path.startswith("src/")):
            yield "clang", [clang, *WARN, *flags, "-fsyntax-only", source]
        if "gcc" in names and minimal != flags:
            yield "gcc", ["gcc", *WARN, *flags, "-fsyntax-only", source]
        if "minimal" in names and sees(root, path, flags, minimal):
            yield "minimal", ["gcc", *WARN, *minimal, "-fsyntax-only", source]
        if "core" in names and core and sees(root, path, flags, bare):
            yield "core", ["gcc", *WARN, *bare, "-fsyntax-only", source]
        if "tidy" in names and tidy and path.startswith("src/"):
            tidied.setdefault(tuple(flags), []).append(source)
    for flags, sources in tidied.items():
        for k in range(0, len(sources), TOGETHER):
            yield "tidy", [tidy, "--quiet", f"--checks={TIDY}", "--warnings-as-errors=*", *sources[k:k + TOGETHER], "--",
                           *WARN[:-1], *flags]


# An access that begins at one member of a structure and continues into the next: compilers may take it for one to the first
# member whatever the index is, and clang does.  v3_get and m3_column are for this.
MEMBERS = re.compile(r"\(&[^()]*(?:\.|->)\w+\)\[|\(&\(&|&[^()&,;]*(?:\.|->)(?:x|c1) \+ ")


def find_members(root):
    """The places where a member is indexed as if the next ones were its elements."""
    bad = []
    for folder in "src", "cli", "studies", "tests", "examples", "bench", "web", "include":
        for path in sorted((root / folder).rglob("*.[ch]")):
            if "node_modules" in path.parts:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if MEMBERS.search(line) and not line.startswith(("/*", " *")):
                    bad.append(f"{path.relative_to(root)}:{number}: members of a structure are no array; use v3_get or "
                               f"m3_column: {line.strip()}")
    return bad


def read_end(program):
    """Energy and place of the end at the last equilibrium of a case, or what the program says."""
    done = subprocess.run([program, "static", "half_turn_equilibrium", "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    last = json.loads(done.stdout)["points"][-1]
    return [last["energy"], *last["ends"]["finish"]["position"]]


def check_still(root, build):
    """The program with cheb compiled by clang against the program."""
    link = build / "CMakeFiles/withy.dir/link.txt"
    if not shutil.which("clang") or not link.exists() or not (build / "withy").exists():
        return "still: not installed"
    with tempfile.TemporaryDirectory() as work:
        kernels = (root / "cmake/kernels.cmake").read_text()  # these the program chooses at run time
        files = [str(f) for f in sorted((root / "src/method/cheb").glob("*.c")) if f"src/method/cheb/{f.name}" not in kernels]
        subprocess.run(["clang", "-std=c17", "-O2", "-w", "-ffp-contract=off", f"-I{root}/include", f"-I{root}/src", "-c",
                        *files], cwd=work, check=True)
        objects = " ".join(sorted(str(f) for f in pathlib.Path(work).glob("*.o")))
        command = link.read_text().replace(" -o withy ", f" {objects} -o {work}/withy ")
        subprocess.run(command, shell=True, cwd=build, check=True)
        want, have = read_end(str(build / "withy")), read_end(f"{work}/withy")
    if isinstance(have, str) or isinstance(want, str):
        return f"still: BAD: cheb by clang: {have}; of the build: {want}"
    off = max(abs(a - b) for a, b in zip(have, want))
    return f"still: {'' if off <= 1e-9 else 'BAD: '}cheb by clang and of the build differ by {off:.1e} at the last equilibrium"


def run(job):
    start = time.monotonic()
    done = subprocess.run(job[1], capture_output=True, text=True)
    files = sum(word.endswith(".c") for word in job[1])
    return job[0], files, done.returncode, done.stdout + done.stderr, time.monotonic() - start


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    names = sys.argv[3:] or ["clang", "minimal", "core", "tidy", "members", "still"] # gcc: warnings are errors in the build for the sanitizers
    count, seconds, status = {}, {}, 0
    with multiprocessing.pool.ThreadPool(os.cpu_count()) as pool:
        for name, files, code, text, took in pool.imap_unordered(run, list(jobs_of(root, read_commands(root, build), names))):
            count[name] = count.get(name, 0) + files
            seconds[name] = seconds.get(name, 0) + took
            if code:
                status = 1
                print(f"{name}: {text}")
    if "members" in names:
        bad = find_members(root)
        print(*bad, f"members: {len(bad)} places", sep="\n")
        status |= bool(bad)
    if "still" in names:
        line = check_still(root, build)
        print(line)
        status |= "BAD" in line
    for name in [n for n in names if n not in ("members", "still")]:
        print(f"{name}: {count[name]} files, {seconds[name]:.0f} s" if name in count else f"{name}: not installed")
    return status


if __name__ == "__main__":
    sys.exit(main())
