#!/bin/sh
# usage: ranks.sh WITHY [moments]: one sweep by 1 and 2 threads and by 1, 2 and 4 processes of MPI: the same file; then
# by 3 processes, of which any one, or mpirun itself, is killed with kill -9 at so many random moments (20), and gone on
# with: the same file; prints one line.
withy=$(realpath "$1")
moments=${2:-20}
command -v mpirun >/dev/null || { echo "skipped: no mpirun"; exit 0; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --oversubscribe -n 2 true 2>/dev/null || { echo "skipped: mpirun does not run here"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# one in a hundred is refused by the scene
cat >beam.lua <<'END'
local p = params { n = 0 }
assert(p.n % 100 ~= 7, "no rod of this number")
return { rod = { length = 1, stiffness = { bend = 1 + p.n / 1000 }, inertia = { mass = 1 } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends = { start = clamped {}, finish = free { force = { 0, 0, -3 } } }, method = "director", options = { n = 4 } }
END
over="beam.lua --static --over params.n=0..999:1000 -w finish.z -w energy -q"
threads() {
    "$withy" sweep $over -o part.h5 "$@"
}
ranks() {
    n=$1
    shift
    mpirun --oversubscribe -n "$n" "$withy" sweep $over -o part.h5 "$@" 2>/dev/null
}
threads -t 1 && mv part.h5 whole.h5 && threads -t 2 && cmp whole.h5 part.h5 || exit 1
for n in 1 2 4; do
    rm -f part.h5
    began=$(date +%s%N)
    ranks $n || exit 1
    took=$((($(date +%s%N) - began) / 1000000))
    cmp whole.h5 part.h5 || { echo "$n processes give another file"; exit 1; }
done
kills=0
while [ $kills -lt "$moments" ]; do
    rm -f part.h5
    mpirun --oversubscribe -n 3 "$withy" sweep $over -o part.h5 2>/dev/null &
    leader=$!
    sleep "$(awk -v seed="$kills" -v ms="$took" 'BEGIN { srand(seed + 11); printf "%.3f", ms * (0.2 + 0.8 * rand()) / 1000 }')"
    all="$leader $(pgrep -P $leader | tr '\n' ' ')"
    victim=$(echo "$all" | awk -v seed="$kills" '{ srand(seed + 5); print $(1 + int(NF * rand())) }')
    kill -9 "$victim" 2>/dev/null
    wait $leader 2>/dev/null
    for pid in $all; do # the others end with it
        while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    done
    resume=$([ -e part.h5 ] && echo --resume)
    if [ $((kills % 2)) = 0 ]; then
        ranks 2 $resume || { echo "kill $kills: --resume by processes fails"; exit 1; }
    else
        threads $resume || { echo "kill $kills: --resume by threads fails"; exit 1; }
    fi
    cmp whole.h5 part.h5 || { echo "kill $kills: another file"; exit 1; }
    kills=$((kills + 1))
done
echo "1, 2 threads and 1, 2, 4 processes: the same file; $kills kills of any process of a sweep: all continue to it"
