#!/bin/sh
# A release in build/dist: source tarball, Debian packages, playground, site, checksums.   sh tools/dist.sh
# Made from the last commit; the version stands in include/withy/base.h alone.  make dist has built the program, the
# viewer, the playground and the site before.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define WITHY_VERSION "\(.*\)"$/\1/p' include/withy/base.h)
[ -n "$version" ] || { echo "dist: no version in include/withy/base.h" >&2; exit 1; }
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "dist: what is not committed is left out" >&2
out=build/dist name=withy-$version
rm -rf "$out"
mkdir -p "$out/tree"

# the sources, with the page of the viewer, which needs npm and a network to build
git archive --prefix="$name/" HEAD | tar xf - -C "$out/tree"
mkdir -p "$out/tree/$name/viewer/dist"
cp build/viewer.html "$out/tree/$name/viewer/dist/viewer.html"
when=$(git log -1 --format=%cI)
tar czf "$out/$name.tar.gz" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$when" -C "$out/tree" "$name"

# Debian packages, by the standard tools
cat >"$out/tree/$name/debian/changelog" <<END
withy ($version) unstable; urgency=medium

  * See CHANGELOG.md.

 -- the withy authors <withy@localhost>  $(git log -1 --format=%cD)
END
(cd "$out/tree/$name" && dpkg-buildpackage -b -us -uc -j"$(nproc)") >"$out/tree/log" 2>&1 || {
    tail -n 30 "$out/tree/log" >&2
    exit 1
}
mv "$out"/tree/*.deb "$out/"
rm -f "$out"/*dbgsym*.deb

[ ! -f build/playground.html ] || cp build/playground.html "$out/withy-playground-$version.html"
[ ! -d build/site ] || tar czf "$out/withy-site-$version.tar.gz" --sort=name --owner=0 --group=0 -C build --transform "s,^site,withy-site-$version," site
rm -rf "$out/tree"
(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out"
