#!/bin/sh
# Every kind of kernels that this processor has: WITHY_KERNELS chooses it, or says why not; the same motion under each, to
# the last bit where no kernel fuses multiplications and additions, else to rounding; and a part of the rows of verify,
# another one each day.  The kind that is chosen without WITHY_KERNELS is what all other tests run.
. "$1/tests/tree/workshop.sh"

expect 2 env WITHY_KERNELS=avx "$withy" -V
says 'WITHY_KERNELS is "avx"; it is base, v3 or v4, or is not set'
expect 2 env WITHY_KERNELS=v5 "$withy" run falling_rod --json
says '"status": "refused"' out
expect 0 env WITHY_KERNELS= "$withy" -V
kinds=
for kind in base v3 v4; do
    if WITHY_KERNELS=$kind "$withy" -V >out 2>err; then
        kinds="$kinds $kind"
    else
        expect 2 env WITHY_KERNELS=$kind "$withy" -V
        says "WITHY_KERNELS is \"$kind\", which this"
    fi
done
case $kinds in
" base") echo "one kind only"; [ $failures = 0 ]; exit ;;
" base"*) ;;
*) fail "no kernels for any processor:$kinds" ;;
esac

cat >rod.lua <<'END'
return { rod = { length = 1, stiffness = { bend = 1e-2, twist = 0.8e-2, shear = 1e2, stretch = 1e2 },
    inertia = { mass = 0.1, rotary = { 1e-5, 1e-5, 2e-5 } } },
  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },
  ends = { start = clamped {} }, gravity = { 0, 0, -9.81 }, time = { stop = 0.05, output = 0.025 } }
END
# The four that are compiled without fused multiply-add: no kind changes an operation or its order.
for method in elastica kirchhoff se3 cheb director fdtd; do
    for kind in $kinds; do
        expect 0 env WITHY_KERNELS=$kind "$withy" run rod.lua -m $method -q -o $method.$kind.csv
    done
    for kind in $kinds; do
        case $method in director | fdtd) continue ;; esac
        cmp $method.base.csv $method.$kind.csv || fail "$method moves otherwise with the kernels $kind"
    done
done
# director and fdtd: some hundred steps, of which each rounds a position at 2^-53 of the length, and strains, which are
# differences of positions over a tenth of the length: 1e-12 of the length, 1e-11 as strain.
python3 - $kinds >out <<'END' || fail "$(cat out)"
import csv, sys
wrong = 0
bound = dict.fromkeys(("x [m]", "y [m]", "z [m]"), 1e-12)
bound.update(dict.fromkeys(("shear1 [-]", "shear2 [-]", "stretch [-]", "bend1 [1/m]", "bend2 [1/m]", "twist [1/m]"), 1e-11))
for method in "director", "fdtd":
    rows = {kind: list(csv.DictReader(open(f"{method}.{kind}.csv"))) for kind in sys.argv[1:]}
    for kind in sys.argv[2:]:
        for name, most in bound.items():
            apart = max(abs(float(a[name]) - float(b[name])) for a, b in zip(rows["base"], rows[kind], strict=True))
            if not apart <= most:
                wrong = 1
                print(f"{method}: {name} of base and {kind} are {apart} apart")
sys.exit(wrong)
END

# A sixteenth of the studies each day, all with WITHY_TEST_DAY=all, under the kinds that nothing else runs.
day=${WITHY_TEST_DAY:-$(($(date +%s) / 86400))} share=16
[ "$day" != all ] || day=0 share=1
set --
"$withy" verify --list --json >all || fail "no list of studies"
python3 - "$day" $share >names <<'END'
import json, sys
short = [row for row in json.load(open("all"))["studies"] if not row["long"]]
print(*(f"{row['source']}/{row['study']}" for row in short[int(sys.argv[1]) % int(sys.argv[2]) :: int(sys.argv[2])]), sep="\n")
END
while read -r study; do set -- "$@" "$study"; done <names
[ $# -gt 0 ] || fail "no studies"
for kind in $kinds; do
    [ $kind = ${kinds##* } ] && continue
    WITHY_KERNELS=$kind "$withy" verify "$@" >out 2>err || fail "WITHY_KERNELS=$kind: $(grep -B1 FAIL out) $(cat err)"
    echo "$kind: $(tail -1 out)"
done
[ $failures = 0 ]
