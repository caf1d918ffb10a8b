#!/bin/sh
# The installed library works with find_package, pkg-config and, as a source tree, add_subdirectory; C and C++.
set -eu
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "check_package: $*"; exit 1; }

# One version: that of the public header.
version=$(sed -n 's/^#define WITHY_VERSION "\(.*\)"$/\1/p' "$source/include/withy/base.h")
grep -q "^version: $version\$" "$source/CITATION.cff" || say "CITATION.cff has another version than include/withy/base.h ($version)"
[ "$(grep -m 1 '^## ' "$source/CHANGELOG.md" | cut -d' ' -f2)" = "$version" ] || say "CHANGELOG.md begins with another version than $version"
[ "$("$build/withy" -V)" = "withy $version" ] || say "withy -V is not withy $version"

# Installed under one name and moved to another: no file may contain the old path.
cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; say "cannot install"; }
mkdir "$work/a place"
mv "$work/first" "$work/a place/withy"
there="$work/a place/withy"
lib=$(cd "$there" && ls -d lib*/pkgconfig lib/*/pkgconfig 2>/dev/null | head -1)
lib=${lib%/pkgconfig}
grep -rIl "$work/first\|$build\|$source" "$there/$lib/pkgconfig" "$there/$lib/cmake" && say "an installed file names the build"
for file in man/man1/withy.1 bash-completion/completions/withy zsh/site-functions/_withy; do
    [ -s "$there/share/$file" ] || say "share/$file is not installed"
done
readelf -d "$there/bin/withy" "$there/$lib/libwithy.so" | grep -i 'r.*path' && say "an installed file has a run path"
python3 "$source/tools/check_elf.py" "$there" || say "an installed file"

# The programs: the example, and every public header from C++.
cp "$source/examples/record.c" "$work/main.c"
for header in "$source"/include/withy/*.h; do echo "#include \"withy/$(basename "$header")\""; done >"$work/all.cpp"
cat >>"$work/all.cpp" <<'END'
#include <cstring>
int main() {
    withy_problem problem = withy_problem_default();
    withy_error err = {};
    if (withy_problem_check(&problem, &err) != WITHY_OK) return 1;
    return std::strcmp(withy_version(), WITHY_VERSION) != 0;
}
END

cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES C CXX)
if(WITHY_TREE)
  add_subdirectory(${WITHY_TREE} withy)
else()
  find_package(withy 0.2 REQUIRED)
endif()
foreach(library withy withy_static core core_static)
  if(NOT ONLY OR ONLY STREQUAL library)
    add_executable(c_${library} main.c)
    add_executable(cpp_${library} all.cpp)
    target_link_libraries(c_${library} withy::${library})
    target_link_libraries(cpp_${library} withy::${library})
  elseif(NOT TARGET withy::${library})
    message(FATAL_ERROR "withy::${library} is missing")
  endif()
endforeach()
END
# A result that the program `withy` opens; the core writes no files.
open_result() { # program
    rm -f "$work/result.h5"
    "$1" "$work/result.h5" >"$work/out" 2>&1 || { cat "$work/out"; say "$1 writes no result"; }
    "$build/withy" plot "$work/result.h5" -o "$work/result.svg" >/dev/null || say "withy plot cannot open the result of $1"
    if "$build/withy" view --help >/dev/null 2>&1 && [ -f "$source/build/viewer.html" ]; then
        "$build/withy" view "$work/result.h5" -o "$work/result.html" >/dev/null || say "withy view cannot open the result of $1"
    fi
}
run_all() { # folder
    for program in "$1"/c_* "$1"/cpp_*; do
        "$program" >"$work/out" 2>&1 || { cat "$work/out"; say "$program fails"; }
        case $program in
        *core*) ;;
        */c_*) open_result "$program" ;;
        esac
    done
}
build_all() { # folder, options...
    folder=$1
    shift
    { cmake -S "$work" -B "$folder" "$@" && cmake --build "$folder" -j 2; } >"$work/log" 2>&1 ||
        { tail -40 "$work/log"; say "cannot build $folder"; }
    run_all "$folder"
}
build_all "$work/find" -DCMAKE_PREFIX_PATH="$there"
# As a part of another project withy is its libraries only; check_second_method builds and runs such a project.
cmake -S "$work" -B "$work/tree" -DWITHY_TREE="$source" >"$work/log" 2>&1 || { tail -40 "$work/log"; say "cannot configure"; }
grep -q "WITHY_PROGRAM:BOOL=OFF" "$work/tree/CMakeCache.txt" || say "add_subdirectory builds the program"
grep -q "WITHY_TESTS:BOOL=OFF" "$work/tree/CMakeCache.txt" || say "add_subdirectory builds the tests"

# pkg-config, moved, and under DESTDIR.
DESTDIR="$work/stage" cmake --install "$build" --prefix /opt/withy >/dev/null
for root in "$there" "$work/stage/opt/withy"; do
    # a link avoids spaces in the path, which pkg-config would have to quote
    ln -sfn "$root" "$work/link"
    export PKG_CONFIG_PATH="$work/link/$lib/pkgconfig" LD_LIBRARY_PATH="$work/link/$lib"
    for name in withy withy_core; do
        cc -o "$work/c_pc_$name" "$work/main.c" $(pkg-config --cflags --libs $name)
        c++ -o "$work/cpp_pc" "$work/all.cpp" $(pkg-config --cflags --libs $name)
        libs=$(pkg-config --libs --static $name | sed "s|-l$name\>|-l:lib$name.a|")
        cc -o "$work/c_pc_${name}_static" "$work/main.c" $(pkg-config --cflags $name) $libs
        run_all "$work"
    done
done
echo "package: find_package, add_subdirectory and pkg-config build and run"
