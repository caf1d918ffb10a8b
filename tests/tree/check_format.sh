#!/bin/sh
# Every C file is formatted as .clang-format says.
cd "$1" || exit 1
files=$(git ls-files -- '*.c' '*.h' 2>/dev/null)
[ -n "$files" ] || files=$(find include src cli tests bench examples -name '*.[ch]')
exec clang-format --dry-run --Werror $files
