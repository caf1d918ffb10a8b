#!/bin/sh
# withy cycles: cycles, damage and life of a probe whose motion is known, and messages.
. "$1/tests/tree/workshop.sh"
needs_hdf5
cat >swing.lua <<'LUA'
return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 2e11, poisson = 0.3, density = 7800 } },
  initial = { shape = straight { along = { 0, 0, 1 } } },
  ends = { start = clamped { position = function(t) return 0.1 * math.sin(2 * math.pi * t), 0, 0 end } },
  time = { stop = 10, output = 1 }, probes = { base = { at = 0, every = 0.0125 } }, method = "director", options = { n = 2, dt = 0.0125 } }
LUA
expect 0 "$withy" run swing.lua -o swing.h5 --quiet
expect 0 "$withy" cycles swing.h5 --probe base.x --slope 3 --strength 0.016 --json
python3 - <<'PY' || fail "cycles or damage are wrong"
import json
(row,) = json.load(open("out"))["probes"]
# ten periods of range 0.2: nine and two halves are closed, and half an amplitude at both ends
assert row["probe"] == "base.x" and row["unit"] == "m" and row["samples"] == 801 and abs(row["largest"] - 0.2) < 1e-12
assert row["cycles"] == 10.5, row
full, ends = 9.5 * 0.2 ** 3, 2 * 0.5 * 0.1 ** 3
assert abs(row["damage"] - (full + ends) / 0.016) < 1e-9 and abs(row["life"] - 10 * 0.016 / (full + ends)) < 1e-6
assert abs(row["range_1_hz"] - ((full + ends) / 10) ** (1 / 3)) < 1e-12
PY
expect 0 "$withy" cycles swing.h5 --probe base.x --slope 600 --strength 1e-320 --json # 0.2^600 is 0 as a number
python3 - <<'PY' || fail "a steep S-N line is wrong"
import json
from math import exp, log
(row,) = json.load(open("out"))["probes"]
assert abs(row["range_1_hz"] - 0.2 * (9.5 / 10) ** (1 / 600)) < 1e-12, row
expected = log(9.5) + 600 * log(0.2) - log(1e-320)
assert abs(log(row["damage"]) / expected - 1) < 1e-9, (row, expected)
PY
expect 0 "$withy" cycles swing.h5; says "base.x" out
expect 2 "$withy" cycles swing.h5 --probe nix; says "it has base"
expect 2 "$withy" cycles swing.h5 --slope x; says "must be a number above 0"
expect 2 "$withy" cycles swing.h5 --strength 1e3; says "needs --slope M"
sed 's/probes = .* method/method/' swing.lua >bare.lua
expect 0 "$withy" run bare.lua -o bare.h5 --quiet
expect 2 "$withy" cycles bare.h5; says "has no probes"
expect 2 "$withy" cycles nowhere.h5
[ $failures = 0 ]
