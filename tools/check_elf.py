#!/usr/bin/env python3
"""Programs and shared libraries as they were built: where the loader looks for what they need, and what is hardened.

usage: check_elf.py PLACE ...     (files, and folders with all that is below)

No element of a run path may be empty or relative: the loader takes it for the current folder.
"""
import os
import re
import subprocess
import sys


def files_below(places):
    for place in places:
        if os.path.isfile(place):
            yield os.path.realpath(place)
        for folder, _, names in os.walk(place):
            yield from (os.path.join(folder, name) for name in names)


def is_loaded(path):
    """Is it a program or a shared library?  (ELF, type 2 or 3; objects have 1)"""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16] in (2, 3)


def read(path, *what):
    return subprocess.run(["readelf", "-W", *what, path], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def run_path(path, dynamic):
    for kind, value in re.findall(r"\((RPATH|RUNPATH)\)\s+Library r\w+: \[(.*)\]", dynamic):
        for element in re.split("[:;]", value):
            if not element.startswith("/") or "/../" in element + "/":
                yield f"{kind} [{value}] has the element \"{element}\", which depends on the current folder"
    for name in re.findall(r"\((?:NEEDED|AUXILIARY|FILTER)\).*\[(.*)\]", dynamic):
        if "/" in name and not name.startswith("/"):
            yield f"needs {name}, a path from the current folder"


def faults(path):
    yield from run_path(path, read(path, "-d"))


def main():
    seen = bad = 0
    for path in files_below(sys.argv[1:]):
        if is_loaded(path):
            seen += 1
            for fault in faults(path):
                bad += 1
                print(f"{path}: {fault}")
    if not seen:
        print("check_elf: no program and no library in", *sys.argv[1:])
    if not bad and seen:
        print(f"elf: {seen} programs and libraries, none of which looks into the current folder")
    return 1 if bad or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
