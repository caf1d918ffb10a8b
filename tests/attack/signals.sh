#!/bin/sh
# usage: signals.sh PROGRAM COUNT: SIGINT, SIGTERM and SIGHUP to every command while it computes, then COUNT kills and COUNT
# signals (every other time two at once) to a run of every method and integrator, at any moment.  Prints two lines; fails when a
# signal is not handled, when a file is left that cannot be read, when an old file is lost, or when something temporary or a
# child process is left after a signal.
exec python3 "$(dirname "$0")/signals.py" "$1" "$2"
