#!/bin/sh
# The core for ARM64 under qemu: a rod moves under each method as it does here.  Skipped where `make arm64` has not built
# it, which takes minutes, or without its tools.  Bounds: those of check_kernels.sh, for the same reasons.
. "$1/tests/tree/workshop.sh"
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
core=$2/arm64/libwithy_core.a
[ -f "$core" ] || { echo "skipped: make arm64 has not built $core"; exit 77; }
[ -z "$(find "$1/src" "$1/include" -name '*.[ch]' -newer "$core")" ] ||
    cmake --build "$2/arm64" -j "$(nproc)" --target withy_core_static >built 2>&1 || { fail "$(tail -20 built)"; exit 1; }

aarch64-linux-gnu-gcc -std=c17 -Wall -I "$1/include" "$1/tests/tree/core_motion.c" "$core" -lm -o motion || exit 1
expect 0 qemu-aarch64 -L /usr/aarch64-linux-gnu ./motion
cat >rod.lua <<'END'
return { rod = { length = 1, stiffness = { bend = 1e-2, twist = 0.8e-2, shear = 1e2, stretch = 1e2 },
    inertia = { mass = 0.1, rotary = { 1e-5, 1e-5, 2e-5 } } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends = { start = clamped {} }, gravity = { 0, 0, -9.81 }, time = { stop = 0.05, output = 0.05 } }
END
methods="elastica kirchhoff se3 cheb director fdtd"
for method in $methods; do
    WITHY_KERNELS=base "$withy" run rod.lua -m $method -q -o $method.csv || fail "$method does not run"
done
python3 - $methods >report <<'END' || fail "$(cat report)"
import csv, sys
wrong, there = 0, {}
for line in open("out"):
    method, *position = line.split()
    there.setdefault(method, []).append([float(x) for x in position])
for method in sys.argv[1:]:
    rows = list(csv.DictReader(open(method + ".csv")))
    last = [[float(row[name]) for name in ("x [m]", "y [m]", "z [m]")] for row in rows if row["t [s]"] == rows[-1]["t [s]"]]
    apart = max(abs(a - b) for p, q in zip(last, there[method], strict=True) for a, b in zip(p, q))
    fallen = -last[-1][2]
    print(f"{method}: {len(last)} nodes, tip fallen by {fallen:.4f}, apart {apart:.1e}")
    if not apart <= 1e-12 or not 0.005 < fallen < 0.05:
        wrong = 1
sys.exit(wrong)
END
cat report
[ $failures = 0 ]
