#!/bin/sh
# Results that somebody has made (attack/foreign.py): parts that are missing or have other sizes, types and places, indices of
# what is not there, and more contacts, obstacles and surfaces than their file can hold.
# usage: check_foreign.sh TREE BUILD [SAMPLES [SEED]]
. "$1/tests/tree/workshop.sh"
needs_hdf5
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: python3-h5py is not installed"; exit 0; }
tree=$1 samples=${3:-${WITHY_SAMPLES:-20}} seed=${4:-$(($(date +%s) / 86400))}
/usr/bin/python3 "$tree/tests/attack/foreign.py" "$withy" "$samples" "$seed" >foreign 2>&1 || fail "$(tail -20 foreign)"
tail -1 foreign
[ $failures = 0 ]
