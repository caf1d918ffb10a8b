#!/bin/sh
# every_second_day.sh NAME COMMAND...: run the command on every second day (which of the two: by NAME), else skip it with 77.
# WITHY_TEST_DAY=NUMBER is that day since 1970, WITHY_TEST_DAY=all every day (`make attack`).
day=${WITHY_TEST_DAY:-$(($(date +%s) / 86400))}
if [ "$day" != all ]; then
    number=$(printf %s "$1" | cksum | cut -d' ' -f1)
    [ $(((day + number) % 2)) = 0 ] || { echo "$1: another day"; exit 77; }
fi
shift
exec "$@"
