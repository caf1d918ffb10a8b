#!/usr/bin/env python3
"""The sources under other compilers and with other libraries, without warnings.  Nothing is compiled: gcc and clang
only read, so that the whole takes seconds; `make minimal`, `make core` and `make tidy` do the same in full.

usage: check_builds.py SOURCE_DIR BUILD_DIR [NAME ...]     (BUILD_DIR has compile_commands.json)
"""
import json
import multiprocessing.pool
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

WARN = """-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
 -Wno-psabi -Werror""".split()
# Those of .clang-tidy without the analyzer, which takes seconds a file (make tidy).
TIDY = "-clang-analyzer-*"


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


def jobs_of(root, rows, names):
    """(name, command) of everything that is read."""
    clang, tidy = shutil.which("clang"), shutil.which("clang-tidy")
    for path, target, flags in rows:
        core = target in ("withy_common", "withy_plain", "withy_kernel_base")
        minimal = keep(flags, "-DWITHY_HAVE_(LIB_LUA|THREADS)")
        bare = [f for f in keep(flags, "$") if not f.startswith("-D_POSIX")]
        source = str(root / path)
        if "clang" in names and clang:
            yield "clang", [clang, *WARN, *flags, "-fsyntax-only", source]
        if "gcc" in names and minimal != flags:
            yield "gcc", ["gcc", *WARN, *flags, "-fsyntax-only", source]
        if "minimal" in names:
            yield "minimal", ["gcc", *WARN, *minimal, "-fsyntax-only", source]
        if "core" in names and core:
            yield "core", ["gcc", *WARN, *bare, "-fsyntax-only", source]
        if "tidy" in names and tidy and path.startswith("src/"):
            yield "tidy", [tidy, "--quiet", f"--checks={TIDY}", "--warnings-as-errors=*", source, "--", *WARN[:-1],
                           *flags]


def run(job):
    start = time.monotonic()
    done = subprocess.run(job[1], capture_output=True, text=True)
    return job[0], done.returncode, done.stdout + done.stderr, time.monotonic() - start


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    names = sys.argv[3:] or ["clang", "minimal", "core", "tidy"] # gcc: warnings are errors in the build for the sanitizers
    count, seconds, status = {}, {}, 0
    with multiprocessing.pool.ThreadPool(os.cpu_count()) as pool:
        for name, code, text, took in pool.imap_unordered(run, list(jobs_of(root, read_commands(root, build), names))):
            count[name] = count.get(name, 0) + 1
            seconds[name] = seconds.get(name, 0) + took
            if code:
                status = 1
                print(f"{name}: {text}")
    for name in names:
        print(f"{name}: {count[name]} files, {seconds[name]:.0f} s" if name in count else f"{name}: not installed")
    return status


if __name__ == "__main__":
    sys.exit(main())
