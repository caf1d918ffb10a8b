#!/bin/sh
# clang, clang-tidy, the minimal set of libraries and the core without any: no warning.
exec python3 "$1/tools/check_builds.py" "$1" "$2"
