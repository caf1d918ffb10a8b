#!/bin/sh
# Includes and calls go one way through the rooms, and third-party headers have their one door.
exec python3 "$1/tools/check_rooms.py" "$1" "$2"
