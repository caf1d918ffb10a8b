#!/usr/bin/env python3
"""Typical mistakes and the message that each gets: python3 mistakes.py PROGRAM [--update]

mistakes.txt is the table.  A row begins with "# what was done wrong", then "$ withy ..." (a command line; SCENE
stands for a file scene.lua with the lines that follow, indented by four spaces), then "= the message".  The message must be
a line of what the program prints, the exit status 2 (or that of a line "! 1"); a row whose line begins with "note:" must succeed and print
that note.  --update writes the messages as they are now.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).with_name("mistakes.txt")
LEAST = 60
GOOD = """return {
  rod = { length = 1, section = circle { diameter = 2e-3 },
          material = { young = 2e11, poisson = 0.3, density = 7800 } },
  initial = { shape = straight { along = { 1, 0, 0 } } },
  ends = { start = clamped {} },
  time = { stop = 0.02, output = 0.01 },
  method = "director", options = { n = 4, dt = 0.01 },
}
"""


def rows():
    row = None
    for line in TABLE.read_text().splitlines():
        if line.startswith("# "):
            row = {"title": line[2:], "scene": [], "want": "", "status": 2}
            yield row
        elif line.startswith("$ withy"):
            row["command"] = line[2:]
        elif line.startswith("    "):
            row["scene"].append(line[4:])
        elif line.startswith("! "):
            row["status"] = int(line[2:])
        elif line.startswith("= "):
            row["want"] = line[2:]


def run(row, program, folder):
    (folder / "scene.lua").write_text("\n".join(row["scene"]) + "\n")
    command = row["command"].replace("SCENE", "scene.lua")
    path = f"{program.parent}:{os.environ['PATH']}"
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, errors="replace",
                          env={**os.environ, "PATH": path}, timeout=900)


def prepare(program, folder):
    (folder / "good.lua").write_text(GOOD)
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0")
    subprocess.run([program, "run", "good.lua", "-q", "-o", "good.h5"], cwd=folder, check=True)


def judge(row, done):
    """What is wrong with it, or None; and the message as it is."""
    said = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    note = row["want"].startswith("note:")
    got = next((line for line in said if line.startswith("note:" if note else "withy:")), "")
    status = 0 if note else row["status"]
    if done.returncode != status:
        return f"status {done.returncode} instead of {status}", got
    return (None if row["want"] in said else "another message"), got


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    failed, text, table = 0, TABLE.read_text(), list(rows())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(program, folder)
        for row in table:
            wrong, got = judge(row, run(row, program, folder))
            if wrong and "--update" not in sys.argv:
                print(f"{row['title']}\n  {row['command']}\n  {wrong}: {got}\n  wanted: {row['want']}")
                failed += 1
            if "--update" in sys.argv:
                pattern = re.compile(rf"^(# {re.escape(row['title'])}\n(?:(?!= ).*\n)*= ).*$", re.M)
                text = pattern.sub(lambda m: m[1] + got, text, count=1)
    if "--update" in sys.argv:
        TABLE.write_text(text)
    if len(table) < LEAST:
        print(f"only {len(table)} mistakes, {LEAST} are needed")
        failed += 1
    print(f"{len(table) - failed} of {len(table)} mistakes get their message")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
