#!/bin/sh
# usage: threads.sh: the whole library under the thread sanitizer (preset tsan, minutes to build), then the tests that
# use threads; prints one line, and fails on any race.
cd "$(dirname "$0")/../.." || exit 1
tests="test_threads test_sink_hdf5 test_spectrum test_sweep test_sweep_engine test_batch test_ensemble"
cmake --preset tsan >/dev/null && cmake --build build/tsan -j "$(nproc)" --target $tests >/dev/null || exit 1
races=0
for test in $tests; do
    TSAN_OPTIONS="exitcode=66" build/tsan/tests/$test >build/tsan/log 2>&1
    status=$?
    # one test of test_sink_hdf5 measures memory, of which the sanitizer takes much
    [ $status = 0 ] || { [ $test = test_sink_hdf5 ] && [ $status = 1 ]; } ||
        { grep -A12 'ThreadSanitizer' build/tsan/log | head -60; races=$((races + 1)); }
done
echo "7 tests with threads under the thread sanitizer: $races with a race"
[ $races = 0 ]
