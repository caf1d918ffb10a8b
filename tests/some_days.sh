#!/bin/sh
# some_days.sh PERIOD NAME COMMAND...: run the command once in PERIOD days (which of them: by NAME), else skip it with 77.
# WITHY_TEST_DAY=NUMBER is that day since 1970, WITHY_TEST_DAY=all every day (`make attack`).
day=${WITHY_TEST_DAY:-$(($(date +%s) / 86400))}
if [ "$day" != all ]; then
    number=$(printf %s "$2" | cksum | cut -d' ' -f1)
    [ $(((day + number) % $1)) = 0 ] || { echo "$2: another day"; exit 77; }
fi
shift 2
exec "$@"
