#!/bin/sh
# The library never prints, exits or aborts: its objects refer to none of these symbols.
found=$(nm -A -u "$2/libwithy.a" 2>/dev/null | sed 's/@.*//' |
    grep -E ' U (printf|__printf_chk|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|stdout|stderr|__assert_fail)$')
[ -e "$2/libwithy.a" ] || { echo "there is no $2/libwithy.a"; exit 1; }
[ -z "$found" ] || { echo "$found"; exit 1; }
