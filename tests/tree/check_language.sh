#!/bin/sh
# Names and texts use the words of the field: tools/language.py compares them with its three lists, and finds
# each word of the third in a tree that has it.
python3 "$1/tools/language.py" test "$1" && exec python3 "$1/tools/language.py" check "$1"
