#!/bin/sh
# Every row of docs/limits.md is what the program does: limits.py.
exec python3 "$1/tests/tree/limits.py" "$2/withy" "$1/docs/limits.md"
