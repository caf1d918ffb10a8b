#!/usr/bin/env python3
"""How far the cases are from their limit: the largest error of any point drawn, in per cent of the size of the
picture, from `withy run|static CASE --error`.

    tools/resolution.py build/withy [CASE...]        one row per case, as Markdown; exit status 1 above LIMIT
    tools/resolution.py --seconds 30 build/withy     processor time per case; a longer run is measured on its
                                                     first tenth (marked t/10), then given up
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys

LIMIT = 0.5  # per cent of the drawn size: less than the width of a line

# Cases that show the grid of a source figure, or a motion that no grid resolves: the reason is in their text.
KEPT = {
    "half_turn": "the source's grid",
    "release_notes": "the source's step, which is what the case is about",
    "release": "the grid of the speed comparison",
    "michell_ring": "beyond its limit the ring writhes to either side",
    "hanging_spring": "see its text",
    "flying_rod": "undamped waves, see its text",
}


def solve(program, arguments, seconds):
    """The JSON of a command, None when it takes too long, or a message."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run([program, *arguments, "--error", "--json"], capture_output=True, text=True,
                          preexec_fn=limit)
    if done.returncode < 0:
        return None
    try:
        return json.loads(done.stdout)
    except ValueError:
        return done.stderr.strip() or "no output"


def row(program, root, case, seconds):
    text = open(os.path.join(root, "cases", case, "scene.lua")).read()
    static = not re.search(r"^\s*time\s*=", text, re.M)
    out, part = solve(program, ["static" if static else "run", case], seconds), ""
    if out is None and not static:
        stop = re.search(r"stop\s*=\s*([0-9.e-]+)", text)
        if stop:
            out = solve(program, ["run", case, "--set", f"time.stop={float(stop.group(1)) / 10:g}"], seconds)
            part = ", t/10"
    if out is None:
        return None, f"| {case} | more than {seconds} s |"
    if isinstance(out, str):
        return None, f"| {case} | {out[:150]} |"
    if "error_bars" not in out:
        return None, f"| {case} | {out.get('error', {}).get('message', 'no point is common to two resolutions')} |"
    e = out["error_bars"]
    share = [100 * (e[key] or 0) / e["size"] if e["size"] else 0 for key in ("shape", "mesh", "step")]
    rough = "" if e["trusted"] else ", rough"
    return share[0], (f"| {case} | {out['method']}{part} | {e['n'][0]:.0f} .. {e['n'][1]:.0f} | {share[0]:.2g} % | "
                      f"{share[1]:.2g} % | {share[2]:.2g} %{rough} |")


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--seconds", type=int, default=30)
    parse.add_argument("program")
    parse.add_argument("case", nargs="*")
    a = parse.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    cases = a.case or sorted(os.listdir(os.path.join(root, "cases")))
    print("| case | method | n | error | mesh | step |\n|---|---|---|---|---|---|")
    above = 0
    for case in cases:
        share, line = row(os.path.abspath(a.program), root, case, a.seconds)
        print(line + (f" {KEPT[case]}" if case in KEPT else ""), flush=True)
        above += share is not None and not share <= LIMIT and case not in KEPT
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
