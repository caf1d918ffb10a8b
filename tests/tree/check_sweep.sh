#!/bin/sh
# withy sweep: the same file by one thread, by two, after an interruption and by two ranks of MPI; pictures of it.
withy=$2/withy
"$withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
sweep() {
    "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3:6 --over params.coils=6,8 -w force.start.z -w energy "$@"
}
sweep -t 1 -o a.h5 -q || exit 1
sweep -t 2 -o b.h5 --json | grep -q '"done": 12' || { echo "not all members are done"; exit 1; }
cmp a.h5 b.h5 || { echo "one thread and two give different files"; exit 1; }
sweep -o b.h5 --resume | grep -q '12 were there' || { echo "--resume does not find the rows"; exit 1; }
cmp a.h5 b.h5 || { echo "--resume has changed a complete file"; exit 1; }
echo "one thread, two threads and --resume: the same file"
# rod by rod it is withy static
one=$("$withy" static spring_designer --set params.wire=1e-3 --set params.coils=6 --json |
    sed -n 's/.*"force": \[[^,]*, [^,]*, \([^]]*\)\].*/\1/p' | sed -n 3p)
[ -n "$one" ] || { echo "no force from withy static"; exit 1; }
# failures are rows
"$withy" sweep spring_designer --static --over params.wire=1e-3,9,2e-3 -o f.h5 > f.txt || { echo "a failed member ends the sweep"; exit 1; }
grep -q '3 of 3 members, 1 failed' f.txt && grep -q 'member 1 failed: .*must be between 0.0005 and 0.005 \[m\]' f.txt ||
    { echo "a failed member has no sentence"; cat f.txt; exit 1; }
"$withy" sweep spring_designer --static --over params.wire=8,9 -o g.h5 > /dev/null 2> g.txt
[ $? = 1 ] && grep -q 'every member has failed' g.txt || { echo "a sweep of failures only succeeds"; exit 1; }
echo "failures are rows with a sentence"
if command -v gnuplot > /dev/null; then
    "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3 --sample lhs:8 -o s.h5 -q || exit 1
    for file in a f s; do
        "$withy" plot $file.h5 -o $file.svg -q && grep -q '</svg>' $file.svg || { echo "no picture of $file.h5"; exit 1; }
    done
    "$withy" plot a.h5 --what nothing -o n.svg 2>&1 | grep -q 'holds no number "nothing"; it has force.start.z energy' || { echo "plot of a number that is not there"; exit 1; }
    echo "pictures of a grid, of failures and of samples"
fi
if command -v mpirun > /dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    if mpirun --oversubscribe -n 2 true 2>/dev/null; then
        # what the library of MPI keeps until its end is no leak of ours
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" mpirun --oversubscribe -n 2 "$withy" sweep spring_designer --static --over params.wire=1e-3..4e-3:6 \
            --over params.coils=6,8 -w force.start.z -w energy -o m.h5 -q 2> m.txt || { cat m.txt; exit 1; }
        cmp a.h5 m.h5 || { echo "two ranks give another file"; exit 1; }
        echo "two ranks: the same file"
    fi
fi
