#!/bin/sh
# Names and texts use the words of the field: tools/language.py compares them with its three lists.
exec python3 "$1/tools/language.py" check "$1"
