#!/bin/sh
# Nothing is loaded from the current folder: every library that withy needs or looks for, the programs that it starts
# and the start-up files of those lie as fakes in the folder of a scene, and none is executed.  And every program and
# library that was built says so itself (tools/check_elf.py).
. "$1/tests/tree/workshop.sh"
[ "$(uname)" = Linux ] || { echo "skipped: another loader"; exit 77; }
for place in "$2"/withy "$2"/lib*.so.*.*.* "$2"/libwithy*.a "$2"/tests "$2"/bench "$2"/examples "$2"/python; do
    [ -e "$place" ] && set -- "$@" "$place"
done
source=$1 build=$2
shift 2
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Debug' "$build/CMakeCache.txt" 2>/dev/null && set -- --unoptimised "$@"
python3 "$source/tools/check_elf.py" "$@" >out 2>&1 || fail "$(cat out)"
grep '^elf:' out

cat >fake.c <<'END'
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void ran(void) { close(open(RAN, O_CREAT | O_WRONLY, 0600)); }
int main(void) { return 0; }
END
ran=$work/ran
${CC:-cc} -DRAN="\"$ran\"" -shared -fPIC -o fake.so fake.c && ${CC:-cc} -DRAN="\"$ran\"" -o fake fake.c || fail "the fakes are not built"
mkdir scene && cd scene || exit 1
libraries="$(ldd "$withy" "$build"/libwithy.so 2>/dev/null | sed -n 's/^[[:space:]]*\([^ /]*\.so[^ ]*\) .*/\1/p') libmpi.so.40 libmpi.so
 libwithy.so libwithy.so.0.2 libOpenCL.so.1 $(cat /etc/OpenCL/vendors/*.icd 2>/dev/null)"
for name in $libraries; do
    case $name in */* | linux-vdso*) ;; *) cp ../fake.so "$name" ;; esac
done
for name in gnuplot ffmpeg withy; do cp ../fake $name; done
printf 'system "touch %s"\n' "$ran" | tee gnuplotrc .gnuplot >/dev/null
cat >beam.lua <<'END'
return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, ends = { start = clamped {} },
  time = { stop = 0.01, output = 0.005 }, probes = { tip = { at = 1, what = "position" } } }
END
sweep="beam.lua --over time.stop=0.01,0.02 -w finish.z -q -o sweep.h5"
innocent() { # innocent command...: it works, and no fake was executed
    expect 0 "$@"
    [ ! -e "$ran" ] || { rm -f "$ran"; fail "something of the current folder was executed by $*"; }
}
innocent "$withy" -V
innocent "$withy" check beam.lua
innocent "$withy" run beam.lua -q -o o.csv
export PATH=".::$PATH" # the current folder, twice
if ! "$withy" list sinks | grep -q 'hdf5.*HDF5'; then
    innocent "$withy" run beam.lua -q -o o.h5
    innocent "$withy" sweep $sweep
    PATH=${PATH#.::} command -v gnuplot >/dev/null && innocent "$withy" plot o.h5 -o o.svg
    PATH=${PATH#.::} command -v ffmpeg >/dev/null &&
        innocent "$withy" render o.h5 -o o.gif --seconds 0.2 --fps 10 --size 200x150 -q
fi
# the loader of OpenCL, told where its libraries are by names that only the current folder has
mkdir icd && echo ./fake.so >icd/fake.icd && cp ../fake.so .
for variable in OCL_ICD_VENDORS=icd OPENCL_LAYERS=./fake.so OCL_ICD_FILENAMES=./fake.so OPENCL_LAYERS=/none.so:fake.so; do
    env "$variable" "$withy" sweep string_ensemble --engine opencl --over time.stop=0.001,0.002 -o ocl.h5 >out 2>err &&
        fail "OpenCL is loaded with $variable"
    [ ! -e "$ran" ] || { rm -f "$ran"; fail "a library of the current folder was loaded with $variable"; }
done
# as if mpirun had started it, with a name that only the current folder has and with an empty element
OMPI_COMM_WORLD_SIZE=1 "$withy" sweep $sweep >out 2>err
[ ! -e "$ran" ] || fail "a libmpi.so of the current folder was loaded"
mkdir ../mpi && cp libmpi.so* ../mpi && cd ../mpi || exit 1
cp ../scene/beam.lua .
for path in : ./ "/usr/lib:" "/usr/lib::/lib" "mpi:/usr/lib"; do
    LD_LIBRARY_PATH=$path OMPI_COMM_WORLD_SIZE=1 "$withy" sweep $sweep >out 2>err &&
        fail "MPI is loaded with LD_LIBRARY_PATH=$path"
    says "LD_LIBRARY_PATH"
    [ ! -e "$ran" ] || fail "a libmpi.so of the current folder was loaded with LD_LIBRARY_PATH=$path"
done
cd ../scene || exit 1
python=/usr/bin/python3
if [ -e "$build/libwithy.so" ] && ! grep -q __asan_init "$withy" && $python -c 'import numpy' 2>/dev/null; then
    export WITHY_LIBRARY="$build/libwithy.so" PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1
    innocent $python -c 'import withy; withy.load("beam.lua").run()'
    unset WITHY_LIBRARY
    cp -r "$source/python/withy" "$work/withy" # without a library next to it or in its tree
    cd ../mpi && cp ../fake.so libwithy.so.0.2 || exit 1
    for path in "" ":" "/usr/lib:"; do
        LD_LIBRARY_PATH=$path PYTHONPATH="$work" $python -c 'import withy' >out 2>err && fail "a package without a library is imported"
        says "libwithy.so is not found"
        [ ! -e "$ran" ] || { rm -f "$ran"; fail "import withy loads libwithy.so.0.2 of the current folder (LD_LIBRARY_PATH=$path)"; }
    done
fi
[ $failures = 0 ]
