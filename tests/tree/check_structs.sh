#!/bin/sh
# Readable structs: no struct of a method has more than 40 fields.
exec python3 "$1/tools/check_structs.py" "$1"
