#!/bin/sh
# The Python package: its types, its tests, and an installation into a fresh virtual environment without a network.
. "$1/tests/tree/workshop.sh"
python=/usr/bin/python3
needs_hdf5
$python -c 'import numpy, pytest' 2>/dev/null || { echo "skipped: python3-numpy or python3-pytest is not installed"; exit 0; }
mkdir tree && ln -s "$1/include" "$1/cases" "$1/docs" "$1/README.md" tree && cp -r "$1/python" tree/python # pip builds in its source
export WITHY_LIBRARY="$2/libwithy.so" WITHY_PROGRAM="$2/withy" PYTHONDONTWRITEBYTECODE=1
cd tree/python && $python -m pytest -q -p no:cacheprovider tests > "$work/tests" 2>&1 || { tail -60 "$work/tests"; fail "tests of the package"; }
tail -1 "$work/tests"
if $python -m mypy --version >/dev/null 2>&1; then
    $python -m mypy --cache-dir "$work/cache" withy > "$work/types" 2>&1 || { cat "$work/types"; fail "types of the package"; }
fi
cd "$work" || exit 1
if $python -m venv --system-site-packages fresh 2>/dev/null && $python -c 'import wheel, setuptools' 2>/dev/null; then
    fresh/bin/pip install --quiet --no-index --no-build-isolation --no-deps tree/python > pip 2>&1 || { cat pip; fail "pip install"; }
    (unset WITHY_LIBRARY; cd / && "$work/fresh/bin/python" -c 'import withy; assert withy.load("falling_rod", set={"time.stop": 1}).run().status == "complete"') ||
        fail "the installed package"
    python3 "$1/tools/check_elf.py" fresh/lib/python*/site-packages/withy || fail "the library of the installed package"
fi
[ $failures = 0 ]
