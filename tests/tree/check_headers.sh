#!/bin/sh
# Each public header compiles alone, as C17 and as C++.
source=$1
status=0
for header in "$source"/include/withy/*.h; do
    name=withy/$(basename "$header")
    for language in "c -std=c17" "c++ -std=c++17"; do
        printf '#include "%s"\n' "$name" |
            gcc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$source/include" - ||
            { echo "$name does not compile alone as ${language%% *}"; status=1; }
    done
done
exit $status
