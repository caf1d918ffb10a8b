#!/bin/sh
# A result opens in h5py in three lines, with units, and holds what the program prints.
withy=$2/withy
"$withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$withy" run falling_rod --set time.stop=5 -o x.h5 --json > x.json || exit 1
exec /usr/bin/python3 - <<'PY'
import json
import h5py, numpy
f = h5py.File("x.h5"); t = f["time"][:]; r = f["rod1/position"][:]
report = json.load(open("x.json"))
assert t[0] == 0 and t[-1] == report["t"] == 5 and (numpy.diff(t) > 0).all()
assert r.shape == (len(t), len(f["rod1/s"]), 3)
assert numpy.allclose(r[-1, -1], report["ends"]["finish"]["position"], rtol=1e-12, atol=1e-12)
assert f["rod1/position"].attrs["unit"] == b"m" and f["time"].attrs["unit"] == b"s"
assert f.attrs["title"] == b"falling rod" and f.attrs["method"] == b"elastica"
assert f["status"][()].decode() == "complete"
assert "clamped" in f["scene"].asstr()[()]
assert "n" in f["options"].attrs and f["request"].attrs["stop"] == 5
assert len(f["ledger/rod1/kinetic"]) == len(t)
assert f["probes/tip/value"].shape == (len(f["probes/tip/t"]), 3)
assert f["probes/tip"].attrs["what"] == b"position"

def finite(name, thing):
    if isinstance(thing, h5py.Dataset) and thing.dtype.kind == "f":
        assert numpy.isfinite(thing[:]).all(), name
f.visititems(finite)
print("three lines:", r.shape)
PY
