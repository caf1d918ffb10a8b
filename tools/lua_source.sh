#!/bin/sh
# Lua's C sources from Debian's source package, for the WebAssembly build: sh tools/lua_source.sh FOLDER
# apt verifies what it fetches; the lists of source packages are kept in FOLDER, so that neither root nor a
# change of the machine's own apt settings is needed.  FOLDER/src then holds lapi.c and the rest.
set -eu
folder=$1
[ ! -f "$folder/src/lapi.c" ] || exit 0
command -v apt-get >/dev/null 2>&1 && command -v dpkg-source >/dev/null 2>&1 || {
    echo "lua_source: apt-get and dpkg-source are needed" >&2
    exit 1
}
mkdir -p "$folder/apt/parts" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)

# The machine's own sources, with the sources of the packages in place of the packages.
: >"$folder/apt/sources.list"
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -n 's/^deb\(-src\)\{0,1\} /deb-src /p' | sort -u >"$folder/apt/sources.list" || true
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$folder/apt/parts/$(basename "$file")"
done
fetch() {
    apt-get -qq -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts="$folder/apt/parts" \
        -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User=root \
        -o Acquire::Languages=none "$@"
}
fetch update
cd "$folder"
fetch source --only-source lua5.4 >/dev/null
rm -rf src apt
mv lua5.4-*/src src
printf '/* Debian keeps its multiarch folder here; a browser has none. */\n#define DEB_HOST_MULTIARCH "wasm"\n' \
    >src/lua5.4-deb-multiarch.h
