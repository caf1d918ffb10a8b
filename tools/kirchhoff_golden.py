#!/usr/bin/env python3
"""Turn kirchhoff_golden.json into the C table tests/unit/kirchhoff_golden.inc.

    python3 tools/kirchhoff_golden.py kirchhoff_golden.json > tests/unit/kirchhoff_golden.inc
"""
import json
import sys


def flat(x):
    return [x] if not isinstance(x, list) else [v for y in x for v in flat(y)]


def numbers(x):
    return "{" + ",".join(repr(float(v)) for v in flat(x)) + "}"


data = json.load(open(sys.argv[1]))
print("/* Written by tools/kirchhoff_golden.py from kirchhoff_golden.json: two independent codes,")
print(" * N = 16, 21 steps.  R is row-major with columns t, s1, s2.  Do not edit. */")
print("/* clang-format off */")
for name, c in data.items():
    ends = ("{WITHY_END_CLAMPED, WITHY_END_CLAMPED}" if name.startswith("clamped_clamped")
            else "{WITHY_END_CLAMPED, WITHY_END_FREE}" if name.startswith("clamped")
            else "{WITHY_END_PINNED, WITHY_END_PINNED}")
    n = c["N"] + 1
    print("{.name = \"%s\", .ends = %s, .strong = %d," % (name, ends, 0 if "weak" in name else 1))
    print(" .n = %d, .length = %r, .h = %r, .sigma = %r, .ct = %r, .rho = %r, .turn = %r, .gravity = %s,"
          % (c["N"], c["L"], c["h"], c["sigma1"], 2 * c["sigma2"], c["rho"], float(c["Irot"]), numbers(c["g"])))
    for key, field in (("kappa", "kappa"), ("x0", "x0"), ("R0", "r0"), ("v0", "v0"), ("H", "h_all"),
                       ("x_step1", "x1"), ("x_step2", "x2"), ("x_step21", "x21"), ("R_step21", "r21")):
        v = c[key] if c[key] is not None else [[0, 0, 0]] * n
        print(" .%s = %s," % (field, numbers(v)))
    print("},")
