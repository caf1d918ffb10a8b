#!/usr/bin/env python3
"""Include direction between the rooms, and one door for each third-party library.

usage: check_rooms.py SOURCE_DIR
"""
import pathlib
import re
import sys

# A room may include itself, the public headers, and these rooms.
MAY = {
    "base": set(),
    "numeric": {"base"},
    "model": {"base", "numeric"},
    "method": {"base", "numeric", "model"},
    "observe": {"base", "numeric", "model"},
    "sink": {"base", "observe"},
    "scene": {"base", "model", "method", "study"},
    "study": {"base", "numeric", "model", "method", "observe", "sink"},
}
# Third-party header -> the only files that may include it.
DOOR = {
    r"^(lua|lualib|lauxlib)\.h$": r"^src/scene/",
    r"^(hdf5|H5)": r"^src/sink/hdf5/",
    r"^(lapacke|cblas|lapack)\.h$": r"^src/numeric/",
    r"^sndfile\.h$": r"^src/sink/wav",
    r"^fftw3\.h$": r"^src/numeric/",
    r"^(arkode|cvode|kinsol|nvector|sundials|sunlinsol|sunmatrix|sunnonlinsol)/": r"^src/numeric/",
}
LIBC = set("""assert ctype errno fcntl float inttypes limits math omp poll pthread signal stdarg
 stdatomic stdbool stddef stdint stdio stdlib string strings sys/resource sys/stat sys/time sys/types
 sys/file sys/wait time unistd immintrin complex tgmath setjmp locale""".split())


def complain(problems, path, number, text):
    problems.append(f"{path}:{number}: {text}")


def check_quoted(problems, path, room, number, name):
    top = name.split("/")[0]
    if top == "withy":
        return
    if "/" not in name:
        complain(problems, path, number, f'"{name}": say the room too, as in "base/base.h"')
        return
    if top not in MAY:
        complain(problems, path, number, f'"{name}" is in no room')
    elif top != room and top not in MAY[room]:
        complain(problems, path, number, f"{room} may not include {top} ({name})")
    if room == "method" and name.count("/") == 2:
        mine, other = pathlib.Path(path).parts[2], name.split("/")[1]
        if mine != other:
            complain(problems, path, number, f"one method may not include another ({name})")


def check_angled(problems, path, number, name):
    for pattern, door in DOOR.items():
        if re.match(pattern, name):
            if not re.match(door, path):
                complain(problems, path, number, f"<{name}> has its door in {door}")
            return
    if name.removesuffix(".h") not in LIBC:
        complain(problems, path, number, f"<{name}> is not a header that src/ may use")


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
    for file in sorted((root / "cli").rglob("*.[ch]")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)/', line)
            if match and match[1] not in ("withy", "plot", "report"):
                complain(problems, file.relative_to(root).as_posix(), number, "cli sees withy/ only")
    print("\n".join(problems) or "rooms: every include goes the right way")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
