#!/bin/sh
# Damaged results are read as they were written or refused with a message by every command that reads results: no crash, no
# hang, no number that was not written.  A small share of what make attack does.
exec sh "$1/tests/attack/damaged.sh" "$2/withy" 60
