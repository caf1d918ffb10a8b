#!/bin/sh
# The packages of build/dist in a bare Debian 12: install, run, build against the library.   sh tools/dist_test.sh [FOLDER]
# FOLDER is a chroot of Debian 12; without it one is made by debootstrap from the mirror of this machine (root; minutes).
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)
[ -f build/dist/SHA256SUMS ] || { echo "dist_test: make dist first" >&2; exit 1; }
(cd build/dist && sha256sum --quiet -c SHA256SUMS)
bare=${1:-}
if [ -z "$bare" ]; then
    bare=$here/build/dist-chroot
    mirror=$(sed -n 's/^deb \(\[[^]]*\] \)\?\(http[^ ]*\) bookworm main.*/\2/p; s/^URIs: *//p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1)
    [ -d "$bare/usr" ] || debootstrap --variant=minbase bookworm "$bare" "$mirror"
    cp /etc/apt/apt.conf.d/*proxy* "$bare/etc/apt/apt.conf.d/" 2>/dev/null || true
fi
inside() { chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -euc "$1"; }
for package in build/dist/*.deb; do
    rm -rf build/dist-contents
    dpkg-deb -x "$package" build/dist-contents
    [ -z "$(find build/dist-contents -name '*.so*' -o -path '*/bin/*')" ] || python3 tools/check_elf.py build/dist-contents
done
rm -rf build/dist-contents
mkdir -p "$bare/tmp/dist"
rm -rf "$bare"/tmp/dist/*
cp build/dist/* "$bare/tmp/dist/"
cp examples/record.c "$bare/tmp/dist/"
inside 'cd /tmp/dist && apt-get update -qq && apt-get install -y -qq --no-install-recommends ./withy_*.deb gnuplot-nox >/dev/null'
inside 'cd /tmp && withy -V && withy run falling_rod -o fall.h5 --quiet && withy plot fall.h5 -o fall.svg && withy view fall.h5 -o fall.html && ls -l fall.svg fall.html
        withy verify elastica | tail -n 1; withy help --man | head -n 1'
inside 'cd /tmp/dist && apt-get install -y -qq --no-install-recommends ./libwithy-dev_*.deb gcc libc6-dev pkg-config >/dev/null
        gcc record.c -o record $(pkg-config --cflags --libs withy) && ./record a.h5 && withy plot a.h5 -o a.svg && ls -l a.svg'
# and the sources, as the README has it: what a person does who unpacks the tarball
inside 'cd /tmp/dist && apt-get install -y -qq --no-install-recommends make cmake g++ liblua5.4-dev libhdf5-dev liblapacke-dev liblapack-dev >/dev/null
        tar xzf withy-[0-9]*.tar.gz && cd withy-[0-9]*/ && cmake --preset release -DWITHY_NATIVE=ON -DWITHY_TESTS=OFF >/dev/null &&
        cmake --build build -j 2 --target withy 2>&1 | tail -n 1 && build/withy run falling_rod -o b.h5 --quiet && build/withy view b.h5 -o b.html && ls -l b.html'
echo "dist_test: the packages and the sources of build/dist work in a bare Debian 12"
