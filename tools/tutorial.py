#!/usr/bin/env python3
"""Follow a page as it is written: python3 tools/tutorial.py PROGRAM [--pictures] [--page docs/jobs.md]

In a temporary folder: a block marked lua whose first line is "-- NAME.lua" is saved under that name; a block
marked sh is run and must succeed ("sh fails": must fail); every line of a block marked text must begin a line
of the output of the commands before it; every picture of the page must have been made.  With --pictures the
pictures are drawn again, smaller, into docs/tutorial/.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tutorial.md"
PART = re.compile(r"^```([^\n]*)\n(.*?)^```$|!\[[^\]]*\]\(tutorial/([^)]+)\)", re.M | re.S)


class Wrong(Exception):
    pass


def shell(block, folder, program):
    path = f"{program.parent}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-eu", "-c", block], cwd=folder, env={**os.environ, "PATH": path}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def missing(block, said=""):
    """Why a block cannot be run on this machine, or None."""
    if "withy render" in block and not shutil.which("ffmpeg"):
        return "ffmpeg is not installed"
    if "the viewer is not in this build" in said:
        return "the viewer is not in this build"
    return None


def run_block(block, folder, program, must_fail):
    """Its output; None when this machine lacks what it needs."""
    if missing(block):
        print("skipped:", missing(block))
        return None
    status, said = shell(block, folder, program)
    if must_fail != (status != 0):
        if missing(block, said):
            print("skipped:", missing(block, said))
            return None
        raise Wrong(f"status {status} of\n{block}{said}")
    return said


def follow(text, folder, program):
    """Run the page; returns the names of its pictures that were made."""
    said, made = "", []
    for match in PART.finditer(text):
        words, block, picture = match[1], match[2], match[3]
        if picture:
            if (folder / picture).exists():
                made.append(picture)
            elif said is not None:
                raise Wrong(f"the picture {picture} was not made by the commands before it")
        elif words == "lua":
            name = re.match(r"-- (\w+\.lua)", block)
            if name:  # else a piece of a scene
                (folder / name[1]).write_text(block)
        elif words in ("sh", "sh fails"):
            said = run_block(block, folder, program, words == "sh fails")
        elif words == "text" and said is not None:
            for line in block.splitlines():
                if not any(heard.startswith(line) for heard in said.splitlines()):
                    raise Wrong(f"expected the line\n{line}\nin the output\n{said}")
    return made


def redraw(text, folder, program, made):
    """The pictures of the page in the size of a page."""
    target = ROOT / "docs/tutorial"
    target.mkdir(exist_ok=True)
    for name in made:
        line = re.search(rf"^withy \w+ .*-o {re.escape(name)}.*$", text, re.M)[0]
        if " plot " in line:
            shell(line + " --size 900x570", folder, program)
        shutil.copyfile(folder / name, target / name)
        print(f"docs/tutorial/{name}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    page = ROOT / sys.argv[sys.argv.index("--page") + 1] if "--page" in sys.argv else PAGE
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            made = follow(text, folder, program)
        except Wrong as problem:
            print(f"docs/{page.name}: {problem}")
            return 1
        if "--pictures" in sys.argv:
            redraw(text, folder, program, made)
    for picture in re.findall(r"\]\((tutorial/[^)]+)\)", text):
        if not (ROOT / "docs" / picture).exists():
            print(f"docs/{picture} is missing: python3 tools/tutorial.py build/withy --pictures")
            return 1
    print(f"docs/{page.name} works as written, {len(made)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
