#!/usr/bin/env python3
"""Include direction between the rooms, and one including file for each third-party library; with a build folder also the
direction of the calls, from the symbols of its objects: a room calls only what it may include.

usage: check_rooms.py SOURCE_DIR [BUILD_DIR]
"""
import json
import pathlib
import re
import subprocess
import sys

# A room may include itself, the public headers, and these rooms.
MAY = {
    "base": set(),
    "numeric": {"base"},
    "contact": {"base"},
    "model": {"base", "numeric", "contact"},
    "method": {"base", "numeric", "contact", "model"},
    "observe": {"base", "numeric", "model"},
    "sink": {"base", "model", "observe"},
    "scene": {"base", "model", "method", "observe", "study"},
    "study": {"base", "numeric", "model", "contact", "method", "observe", "sink"},
}
# Third-party header -> the only files that may include it.
USERS = {
    r"^sys/mman\.h$": r"^src/base/wall_clock",
    r"^(lua|lualib|lauxlib)\.h$": r"^src/scene/",
    r"^(hdf5|H5)": r"^src/sink/hdf5/",
    r"^(lapacke|cblas|lapack)\.h$": r"^src/numeric/",
    r"^CL/": r"^src/base/opencl",
    r"^sndfile\.h$": r"^src/sink/wav",
    r"^fftw3\.h$": r"^src/numeric/",
    r"^cminpack\.h$": r"^src/numeric/search/least",
    r"^embree3/": r"^cli/shade/embree",
    r"^nlopt\.h$": r"^src/numeric/search/descend",
    r"^(arkode|cvode|kinsol|nvector|sundials|sunlinsol|sunmatrix|sunnonlinsol)/": r"^src/numeric/",
}
# What is of the system and not of C17: only these include it, and no file is to be added; what they do behind it is to
# become one interface, which other systems can have too.
SYSTEM = r"^(dirent|dlfcn|fcntl|poll|pthread|signal|strings|unistd|sys/\w+)\.h$"
SYSTEM_USERS = {f"src/{name}" for name in """base/mpi.c base/thread_pool.c base/wall_clock.c numeric/transform/fourier.c
 scene/resume.c scene/scene_file.c sink/atomic_file.c sink/atomic_file.h sink/csv.c sink/hdf5/file.c sink/hdf5/hdf5.c
 sink/hdf5/library.c sink/hdf5/store.c sink/hdf5/sweep.c sink/pvd.c sink/sink.c sink/temporary_folder.c sink/wav.c""".split()}
# All files are written through it, those of the program too.
WRITES_FILES = "sink/atomic_file.h"
LIBC = set("""assert ctype dlfcn errno fcntl float inttypes limits math omp poll pthread signal stdarg
 stdatomic stdbool stddef stdint stdio stdlib string strings sys/resource sys/stat sys/time sys/types
 sys/file sys/wait dirent time unistd immintrin complex tgmath setjmp locale""".split())


def complain(problems, path, number, text):
    problems.append(f"{path}:{number}: {text}")


def check_quoted(problems, path, room, number, name):
    top = name.split("/")[0]
    if top == "withy":
        return
    if "/" not in name:
        complain(problems, path, number, f'"{name}": give the room too, as in "base/base.h"')
        return
    if top not in MAY:
        complain(problems, path, number, f'"{name}" is in no room')
    elif top != room and top not in MAY[room]:
        complain(problems, path, number, f"{room} may not include {top} ({name})")
    if room == top == "method" and name.count("/") >= 2:
        mine, other = pathlib.Path(path).parts[2], name.split("/")[1]
        if mine != other:
            complain(problems, path, number, f"one method may not include another ({name})")


def check_angled(problems, path, number, name):
    for pattern, user in USERS.items():
        if re.match(pattern, name):
            if not re.match(user, path):
                complain(problems, path, number, f"<{name}> may be included only by {user}")
            return
    if name.removesuffix(".h") not in LIBC:
        complain(problems, path, number, f"<{name}> is not a header that src/ may use")


def check_system(problems, root):
    """The files that include headers of the system are those of the list, which only shrinks."""
    found = {}
    for file in sorted((root / "src").rglob("*.[ch]")):
        for name in re.findall(r"^\s*#\s*include\s*<([^>]+)>", file.read_text(), re.M):
            if re.match(SYSTEM, name):
                found.setdefault(file.relative_to(root).as_posix(), name)
    for path in sorted(set(found) - SYSTEM_USERS):
        problems.append(f"{path}: <{found[path]}> is not of C17: call what one of SYSTEM_USERS in tools/check_rooms.py offers")
    for path in sorted(SYSTEM_USERS - set(found)):
        problems.append(f"{path}: needs no header of the system any more: take it out of SYSTEM_USERS in tools/check_rooms.py")


def check_cli(problems, root):
    """cli includes the public headers, its own, those of the studies, which may include everything, and the file that writes all others."""
    for file in sorted((root / "cli").rglob("*.[ch]")):
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not match:
                continue
            top, slash, _ = match[1].rpartition("/")
            if match[1] == WRITES_FILES:
                continue
            if slash and top not in ("withy", "plot", "report", "shade", "gltf", "moordyn"):
                complain(problems, path, number, f"cli may include withy/ only ({match[1]})")
            elif not slash and not any((root / d / match[1]).exists() for d in ("cli", "studies")):
                complain(problems, path, number, f'"{match[1]}" is neither in cli/ nor in studies/')


def read_symbols(root, build):
    """[(source, symbol, is defined)] of every object of the library and of the program."""
    objects = {}  # of this configuration: a folder may hold others that are left over
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"]).resolve()
        target = re.search(r" -o (CMakeFiles/withy(?:_common|_plain|_system|_kernel_\w+)?\.dir/\S+\.o) ", entry["command"])
        made = source.is_relative_to(build.resolve())  # such as the text of the kernel for devices
        if target and source.is_relative_to(root.resolve()) and not made and (build / target[1]).exists():
            objects[str(build / target[1])] = source.relative_to(root.resolve()).as_posix()
    rows = []
    names = list(objects)
    for k in range(0, len(names), 100):
        text = subprocess.run(["nm", "-A", *names[k:k + 100]], capture_output=True, text=True, check=True).stdout
        for line in text.splitlines():
            match = re.match(r"(.*\.o):\s*[0-9a-f]*\s+(\w)\s+(withy_\w+|wy_\w+)$", line)
            if match and (match[2] == "U" or match[2].isupper()):
                symbol = re.sub(r"_(base|v3|v4)$", "", match[3]) if "withy_kernel" in match[1] else match[3]
                rows.append((objects[match[1]], symbol, match[2] != "U"))
    return rows


def may_call(caller, callee):
    mine, theirs = caller.split("/"), callee.split("/")
    if mine[0] == "cli":
        return theirs[0] != "src" or callee in ("src/sink/atomic_file.c", "src/sink/temporary_folder.c")
    if mine[0] != "src" or theirs[0] != "src":
        return mine[0] == "studies"
    if mine[1] != theirs[1]:
        return theirs[1] in MAY[mine[1]]
    return mine[1] != "method" or len(theirs) == 3 or mine[2] == theirs[2]


def check_calls(problems, root, build):
    rows = read_symbols(root, build)
    home = {symbol: source for source, symbol, defined in rows if defined}
    calls = {(source, symbol) for source, symbol, defined in rows if not defined and symbol in home}
    for source, symbol in sorted(calls):
        public = symbol.startswith("withy_") and not source.startswith("src/")
        if not public and not may_call(source, home[symbol]):
            problems.append(f"{source}: calls {symbol} of {home[symbol]}, which it may not include")
    if not calls:  # a build of another tree, or none: nothing was checked
        problems.append(f"{build}: has no objects of this tree, so no call was checked; build it first")
    return len(calls)


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for file in sorted((root / "src").rglob("*.[ch]")):
        path = file.relative_to(root).as_posix()
        room = path.split("/")[1]
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)', line)
            if not match:
                continue
            if match[1] == '"':
                check_quoted(problems, path, room, number, match[2])
            else:
                check_angled(problems, path, number, match[2])
    check_cli(problems, root)
    check_system(problems, root)
    calls = check_calls(problems, root, pathlib.Path(sys.argv[2])) if len(sys.argv) > 2 else 0
    print("\n".join(problems) or f"rooms: every include and {calls} calls obey the table")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
