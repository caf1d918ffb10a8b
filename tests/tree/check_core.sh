#!/bin/sh
# withy_core needs a C17 library and nothing of POSIX.
exec python3 "$1/tools/check_core.py" "$2/libwithy_core.a"
