#!/bin/sh
# Install the Debian packages that are missing: sh tools/setup.sh build [python] [web] [test] [attack] [arm64] [dist]
# As root or through sudo; otherwise the exact command is printed and nothing is done.
set -eu

python="python3-numpy python3-setuptools python3-wheel"
build="gcc g++ cmake pkg-config libc6-dev liblua5.4-dev liblapacke-dev liblapack-dev libhdf5-dev
       libsndfile1-dev libfftw3-dev libcminpack-dev libnlopt-dev libsundials-dev ocl-icd-opencl-dev
       opencl-c-headers gnuplot-nox libembree-dev"
web="clang lld wasi-libc libclang-rt-14-dev-wasm32 dpkg-dev"
test="libcmocka-dev libgsl-dev openmpi-bin clang clang-format clang-tidy python3-h5py chromium ffmpeg
      pocl-opencl-icd mypy python3-pytest python3-pip python3-venv
      firefox-esr $python $web"
attack="valgrind"
arm64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
dist="debhelper dpkg-dev fakeroot"

# Node may be installed from elsewhere; look for its command, not its package.
command -v npm >/dev/null 2>&1 || build="$build nodejs npm"

wanted=""
for set in "$@"; do
    case $set in
        build) wanted="$wanted $build" ;;
        python) wanted="$wanted $python" ;;
        web) wanted="$wanted $web" ;;
        test) wanted="$wanted $test" ;;
        attack) wanted="$wanted $attack" ;;
        arm64) wanted="$wanted $arm64" ;;
        dist) wanted="$wanted $dist" ;;
        *) echo "setup: unknown set \"$set\" (build, python, test, attack, arm64, dist)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: this is not a Debian system; install the equivalents of:$wanted" >&2
    exit 0
fi
missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "setup: these packages are missing; install them and try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 2
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
