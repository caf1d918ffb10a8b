#!/bin/sh
# usage: run.sh BUILD COUNT: COUNT scenes and COUNT results from the fuzzers, in a folder of their own; one line each.
# Fails on the first crash, leak or anything that hangs (10 minutes).
here=$(cd "$(dirname "$0")" && pwd)
fuzzers=$(cd "$1/tests/fuzz" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
run() { # run NAME WHAT argument...
    name=$1 what=$2
    shift 2
    "$fuzzers/$name" -runs="$count" -seed=1 -print_final_stats=1 "$@" >log 2>&1 || { tail -60 log; exit 1; }
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
    slowest=$(sed -n 's/^stat::slowest_unit_time_sec: *//p' log)
    echo "$executed $what: no crash, no leak, none took more than $slowest s"
}
count=$2
mkdir scenes results
run fuzz_scene "fuzzed scenes" -dict="$here/scene.dict" -timeout=600 scenes "$here/corpus"
"$fuzzers/fuzz_result" seeds=results || exit 1
run fuzz_result "fuzzed results" -timeout=600 -max_len=100000 results
