#!/bin/sh
# Help, manual page and completion come from one table of commands and name every command and option of it.
set -u
withy=$2/withy failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL: $*"; failures=$((failures + 1)); }

# what is installed is what the program says
for part in "withy.1 --man" "withy.bash --completion=bash" "_withy --completion=zsh"; do
    set -- "$1" "$2" $part
    "$withy" help $4 >"$work/$3" || fail "withy help $4"
    cmp -s "$work/$3" "$2/$3" || fail "$3 in the build folder is not that of the program"
    set -- "$1" "$2"
done

# every command and every option is in all of them
for command in $("$withy" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
    "$withy" help "$command" >"$work/text" || fail "withy help $command"
    "$withy" "$command" --help | cmp -s - "$work/text" || fail "$command --help differs from help $command"
    grep -q "^\.B $command\$" "$work/withy.1" || fail "withy.1 does not name $command"
    for option in $(sed -n 's/^ .*--\([a-z][a-z0-9-]*\).*/\1/p' "$work/text" | sort -u); do
        [ "$option" = help ] || grep -q -- "--$option\[" "$work/_withy" || fail "zsh: $command --$option"
        sed -n "/^    $command)/,/;;/p" "$work/withy.bash" | grep -q -- "--$option" || fail "bash: $command --$option"
    done
done
[ "$("$withy" help | grep -c '^  [a-z]')" -ge 12 ] || fail "withy help lists too few commands"

# a reader of manual pages finds nothing to complain of
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$work/withy.1" 2>"$work/err"
    [ ! -s "$work/err" ] || fail "groff: $(cat "$work/err")"
fi

# bash completes commands, cases, options, values
if command -v bash >/dev/null; then
    complete() { # words...
        (cd "$work" && bash -c '. ./withy.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _withy; echo "${COMPREPLY[*]}"' x "$@")
    }
    : >"$work/fall.h5"
    [ "$(complete withy comp)" = compare ] || fail "bash: withy comp: $(complete withy comp)"
    [ "$(complete withy run falling)" = falling_rod ] || fail "bash: case: $(complete withy run falling)"
    [ "$(complete withy run falling_rod --met)" = --method ] || fail "bash: option: $(complete withy run x --met)"
    [ "$(complete withy run falling_rod -m kir)" = kirchhoff ] || fail "bash: method: $(complete withy run x -m kir)"
    [ "$(complete withy plot fall.h5 --plane 3)" = 3d ] || fail "bash: word: $(complete withy plot x --plane 3)"
    [ "$(complete withy view fal)" = fall.h5 ] || fail "bash: file: $(complete withy view fal)"
    [ "$(complete withy list fe)" = features ] || fail "bash: topic: $(complete withy list fe)"
fi
if command -v zsh >/dev/null; then zsh -n "$work/_withy" || fail "zsh cannot read its completion"; fi

[ $failures = 0 ] && echo "help, manual page and completion name every command and option"
