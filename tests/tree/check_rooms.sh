#!/bin/sh
# Includes and calls obey the table of rooms, and each third-party header is included by one file only.
exec python3 "$1/tools/check_rooms.py" "$1" "$2"
