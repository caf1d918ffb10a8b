#!/usr/bin/env python3
"""Programs and shared libraries as they were built: where the loader looks for what they need, and what is hardened.

usage: check_elf.py [--unoptimised] PLACE ...     (files, and folders with all that is below)

No element of a run path may be empty or relative: the loader takes it for the current folder.  All relocations are made
at the start and are read-only then, programs have no fixed address, no stack is executed; the program and the libraries
have guards on the stack and, without a sanitizer and where optimised, checked copies.  Objects of a static library mark
where jumps may land; of what is linked the linker keeps that mark only where the start-up files of the system have it.
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


def kind_of(path):
    """"loaded": a program or a shared library (ELF of type 2 or 3; objects have 1); "archive"; or None."""
    if os.path.islink(path) or not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        head = file.read(18)
    if head[:8] == b"!<arch>\n":
        return "archive"
    return "loaded" if head[:4] == b"\x7fELF" and head[16] in (2, 3) else None


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


def hardening(path, dynamic):
    parts = read(path, "-l")
    if not re.search(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b", dynamic):
        yield "is bound lazily (-z now)"
    if "GNU_RELRO" not in parts:
        yield "its tables of addresses stay writable (-z relro)"
    stack = re.search(r"GNU_STACK.* ([RWE ]{3}) ", parts)
    if not stack or "E" in stack[1]:
        yield "its stack can be executed (-z noexecstack)"
    if "INTERP" in parts and "DYN" not in parts.split("\n\n")[0].split("Entry")[0]:
        yield "has a fixed address (-pie)"


def guards(path):
    """Of what is ours and large enough to need them."""
    wanted = set(re.findall(r" UND (\w+)", read(path, "--dyn-syms")))
    if "__stack_chk_fail" not in wanted:
        yield "has no guard on the stack (-fstack-protector-strong)"
    sanitized = any(name.startswith(("__asan_", "__tsan_")) for name in wanted)
    if not sanitized and "--unoptimised" not in sys.argv and not {"__memcpy_chk", "__snprintf_chk"} & wanted:
        yield "has no checked copies (_FORTIFY_SOURCE)"


def landings(path):
    """Members of an archive without the mark for landings of jumps."""
    for member in read(path, "-h", "-n").split("\nFile: ")[1:]:
        if "X86-64" in member and ("IBT" not in member or "SHSTK" not in member):
            yield f"{member.splitlines()[0]} has no marks for jumps (-fcf-protection)"


def faults(path, kind):
    if kind == "archive":
        return list(landings(path))
    dynamic = read(path, "-d")
    if "There is no dynamic section" in dynamic:
        return ["is linked statically: nobody can say what it holds"]
    ours = re.match(r"(withy|libwithy.*\.so.*)$", os.path.basename(path))
    return [*run_path(path, dynamic), *hardening(path, dynamic), *(guards(path) if ours else ())]


def main():
    seen, bad = {"loaded": 0, "archive": 0}, 0
    places = [place for place in sys.argv[1:] if not place.startswith("--")]
    for path in files_below(places):
        kind = kind_of(path)
        if not kind:
            continue
        seen[kind] += 1
        for fault in faults(path, kind):
            bad += 1
            print(f"{path}: {fault}")
    if not seen["loaded"]:
        print("check_elf: no program and no library in", *places)
    if not bad and seen["loaded"]:
        print(f"elf: {seen['loaded']} programs and libraries, none of which looks into the current folder, all hardened; "
              f"{seen['archive']} archives")
    return 1 if bad or not seen["loaded"] else 0


if __name__ == "__main__":
    sys.exit(main())
