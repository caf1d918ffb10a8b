#!/bin/sh
# The Python package under the sanitizers: what programs and people do to it (python/tests/test_robust.py) and control.
. "$1/tests/tree/workshop.sh"
python=/usr/bin/python3
needs_hdf5
$python -c 'import numpy, pytest' 2>/dev/null || { echo "skipped: python3-numpy or python3-pytest is not installed"; exit 0; }
asan=$(gcc -print-file-name=libasan.so)
[ -f "$asan" ] && [ -f "$2/libwithy.so" ] || { echo "skipped: no libasan.so of gcc for this build"; exit 0; }
mkdir tree && ln -s "$1/include" "$1/cases" tree && cp -r "$1/python" tree/python
# Python itself loses memory at its end, and numpy asks for more than there is when it measures the machine
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export WITHY_LIBRARY="$2/libwithy.so" WITHY_PROGRAM="$2/withy" PYTHONDONTWRITEBYTECODE=1 LD_PRELOAD="$asan"
cd tree/python && $python -m pytest -q -x -p no:cacheprovider tests/test_robust.py tests/test_control.py > "$work/tests" 2>&1 ||
    { tail -60 "$work/tests"; fail "the package under sanitizers"; }
tail -1 "$work/tests"
[ $failures = 0 ]
