#!/bin/sh
# usage: hostile_names.sh PROGRAM COUNT: COUNT hostile texts, in every place of a result that holds one, and as many hostile names
# of scenes, results and outputs through plot, render, view, compare and export; the pages are opened in Chromium where there is one.
# Prints one line; fails when a command or a script is run, when a control character reaches the terminal, when a failure has no
# message, or when an output does not get its name.
python=python3
/usr/bin/python3 -c 'import h5py' 2>/dev/null && python=/usr/bin/python3
"$python" -c 'import h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 0; }
exec "$python" "$(dirname "$0")/hostile_names.py" "$1" "$2"
