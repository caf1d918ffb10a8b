#!/bin/sh
# A share of `make attack`: outputs without room, signals to every command, hostile texts and names.
command -v python3 >/dev/null 2>&1 || { echo "skipped: no python3"; exit 0; }
"$2/withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
status=0
for row in full_disk:2 signals:1 hostile_names:4; do
    sh "$1/tests/attack/${row%:*}.sh" "$2/withy" "${row#*:}" || status=1
done
exit $status
