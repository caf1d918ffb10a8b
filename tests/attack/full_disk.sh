#!/bin/sh
# usage: full_disk.sh PROGRAM COUNT: every kind of output with room for only a part of it, at COUNT sizes: by a limit on the size
# of files, and on a small disk in memory where one can be mounted.  Prints one line; fails when a broken file comes with
# status 0, when an old file is lost or changed by a command that failed, when a failure has no message, or when
# something is left behind.
exec python3 "$(dirname "$0")/full_disk.py" "$1" "$2"
