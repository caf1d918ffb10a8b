#!/bin/sh
# A run killed at any moment leaves a file that plain h5py and withy itself can read.
withy=$2/withy
"$withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
h5py=1
/usr/bin/python3 -c 'import h5py' 2>/dev/null || h5py=0
for delay in 0.05 0.11 0.17 0.31 0.42 0.73; do
    rm -f k.h5
    "$withy" run falling_rod --set time.stop=1e6 --set time.output=1 -o k.h5 --quiet &
    pid=$!
    sleep $delay
    kill -9 $pid
    wait $pid 2>/dev/null
    [ -s k.h5 ] || { echo "killed after $delay s, before the file was there"; continue; }
    if [ $h5py = 1 ]; then
        /usr/bin/python3 - <<'PY' || exit 1
import h5py, numpy
f = h5py.File("k.h5"); t = f["time"][:]; r = f["rod1/position"][:len(t)]
assert f["status"][()].decode() == "running"
assert numpy.allclose(t, 1.0 * numpy.arange(len(t))) and r.shape[0] == len(t)
assert numpy.isfinite(r).all() and numpy.allclose(r[:, 0], 0, atol=1e-9)
PY
    fi
    if ! "$withy" export k.h5 --csv >/dev/null 2>err; then
        grep -q -e 'holds no snapshot' -e 'killed as it begins' err || { cat err; exit 1; }
        echo "killed after $delay s, before the first snapshot"
        continue
    fi
    count=$("$withy" export k.h5 --csv --json | sed -n 's/.*"snapshots": *\([0-9]*\).*/\1/p')
    lines=$(grep -c -v '^[#t]' k.ledger.csv)
    [ "$count" -ge 1 ] && [ "$lines" = "$count" ] || { echo "killed after $delay s: $count snapshots, $lines lines"; exit 1; }
    grep -q '^# running' k.csv || { echo "the export of a killed run does not say so"; exit 1; }
    echo "killed after $delay s: $count snapshots"
done

# A write that a kill cuts ends with a page of the system; cut in the first one, nothing was computed yet.
"$withy" run falling_rod --set time.stop=1 -o k.h5 --quiet || exit 1
for pages in 1 2 4; do
    head -c $((4096 * pages)) k.h5 >cut.h5
    "$withy" export cut.h5 --csv 2>err && { echo "a file of $pages pages was read"; exit 1; }
    grep -q 'killed as it begins' err || { cat err; exit 1; }
done

# Two signals at once still finish the file, also while the method chooses its own steps.
for row in bdf:\"auto\" erk:\"auto\" radau:1e-4 rk4:\"auto\"; do
    integrator=${row%:*}
    rm -f s.h5
    "$withy" run heavy_cantilever -m cheb --set "options.integrator=\"$integrator\"" --set "options.dt=${row#*:}" \
        --set options.n=12 --set time.stop=1e5 --set time.output=1e5 -o s.h5 --quiet 2>err &
    pid=$!
    until [ -s s.h5 ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done # it runs, however busy the machine is
    kill -TERM $pid 2>/dev/null
    kill -INT $pid 2>/dev/null
    kill -TERM $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
    grep -q SUNDIALS err && continue
    [ $code = 130 ] || { echo "$integrator: status $code after two signals, not 130"; cat err; exit 1; }
    "$withy" export s.h5 --csv >/dev/null || exit 1
    grep -q '^# interrupted' s.csv || { echo "$integrator: the file does not say that it was interrupted"; exit 1; }
    echo "$integrator: two signals at once, the file is finished"
done
