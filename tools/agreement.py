#!/usr/bin/env python3
"""docs/agreement.md: six scenes and more under every method that accepts them, with error bars.

usage: agreement.py PROGRAM DOCS
"""
import json
import pathlib
import subprocess
import sys

# scene, arguments, what it is
SCENES = [
    ("release", ["--budget", "120"],
     "A rubber cantilever, bent and let go. cheb runs with its default, the conserving end treatment (`G`).\n"
     "With that of its source (`B`) this undamped motion grows, and compare reports that the error is not\n"
     "known."),
    ("heavy_cantilever", [], "A rubber cantilever sags under its own weight."),
    ("hanging_spring", ["--set", "time.stop=0.25", "--for", "cheb:options.n=32"],
     "A soft helical spring of five turns falls from rest."),
    ("hanging_spring", ["--static"], "The equilibria of the same spring as gravity grows: positions, force and moment."),
    ("violin_a_string", ["--set", "time.stop=0.004", "--set", "time.output=0.0002",
                         "--for", "director:options.dt=4e-6", "--budget", "120"],
     "A plucked steel string, two periods long. Only two methods support a prescribed tension."),
    ("fibre", [], "Equilibria of a fibre between a support and a moving platform, on a floor."),
    ("flexible_pendulum", [], "A rubber rod on a pin swings in a plane."),
]

HEAD = """# Do the methods agree?

`make agreement` generates this page. `withy compare` runs a scene with every method that accepts
it. It doubles the number of intervals and halves the step each time, until the error bar of each
method, by Richardson extrapolation, is known and small. Two methods agree if every compared
quantity differs by less than the sum of their bars at every output time.

- A bar is 3 |b - c| / (2^p - 1) from the two finest levels b, c. The observed order p is limited to
  the range 1/2 to 2. If the levels do not converge, the error is *not known*, which does not count
  as agreement. [Errors](theory/errors.md) has the details.
- elastica and kirchhoff leave out stretch and shear. withy computes the resulting shift with a
  method that has both, by making their stiffnesses 256 times larger. It subtracts this shift, with
  a separate error bar, from the results of the simpler methods before it compares them with the
  others.
- The last column of a table names the worst pair and its distance divided by the sum of the two
  bars: 1 is the limit.

The test `check_compare` does the same with five times larger bars, and detects a stiffness that is
wrong by 5 % in one method.
"""


def cell(value, error):
    digits = max(3, min(9, len(f"{max(map(abs, value)) / max(error, 1e-12):.0f}") + 1))
    return "(" + ", ".join(f"{x:.{digits}g}" if abs(x) > error * 1e-3 else "0" for x in value) + f") ± {error:.1e}"


def worst(out, name):
    ratio = [(p["distance"] / p["allowed"], p["b"] if p["a"] == name else p["a"])
             for p in out["pairs"] if name in (p["a"], p["b"])]
    return "{:.2f} ({})".format(*max(ratio)) if ratio else ""


def table(out):
    what = [key for key in ("finish", "middle", "force at start", "moment at start")
            if any(key in m for m in out["methods"].values())]
    lines = ["| method | n | step [s] | levels | order | " + " | ".join(what) + " | time [s] | node-steps | worst pair |",
             "|---|" + "---|" * (7 + len(what))]
    for name, m in out["methods"].items():
        order = "" if m["order"] is None else ">= 2" if m["order"] >= 2 else f"{m['order']:.1f}"
        row = [name, m["n"], f"{m['dt']:.2g}" if m["dt"] else "", m["levels"], order]
        row += [cell(m[key]["value"], m[key]["error"]) if key in m else "" for key in what]
        row += [f"{m['wall_s']:.2g}", f"{m['node_steps']:.2g}", worst(out, name)]
        lines.append("| " + " | ".join(map(str, row)) + " |")
    return lines


def section(program, docs, number, scene, arguments, about):
    picture = f"pictures/compare_{number}_{scene}.svg"
    command = ["compare", scene, *arguments]
    done = subprocess.run([program, *command, "--json", "-o", docs / picture], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(done.stderr)
    out = json.loads(done.stdout)
    lines = [f"## {scene}{', equilibria' if '--static' in arguments else ''}", "", about, "",
             f"`withy {' '.join(command)}`: "
             f"{len(out['methods'])} methods, **{'agree' if out['agree'] else 'DO NOT AGREE'}**.", ""]
    lines += table(out)
    if "simpler_rod" in out:
        shift = {k: v for k, v in out["simpler_rod"].items() if isinstance(v, dict)}
        lines += ["", f"Effect of stretch and shear (computed with {out['simpler_rod']['found_with']}): "
                  + ", ".join(f"{k} up to {v['shift']:.1e} ± {v['error']:.1e}" for k, v in shift.items()) + "."]
    if out["refused"]:
        lines += ["", "Refused: " + "; ".join(f"{why}" for why in out["refused"].values()) + "."]
    return lines + ["", f"![error bars and distances]({picture})", ""], out["agree"]


def main():
    program, docs = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    text, good = [HEAD], True
    for number, (scene, arguments, about) in enumerate(SCENES, 1):
        print(f"compare {scene} ...", file=sys.stderr)
        lines, agree = section(program, docs, number, scene, arguments, about)
        text, good = text + lines, good and agree
    (docs / "agreement.md").write_text("\n".join(text))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
