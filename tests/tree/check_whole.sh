#!/bin/sh
# Refusals come before anything is touched: the old files stay, nothing is left next to them; what cannot be printed is a failure.
. "$1/tests/tree/workshop.sh"
needs_hdf5
cat > good.lua <<'LUA'
return {
  rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} },
  gravity = { 0, 0, -9.81 }, probes = { tip = { at = 1, what = "position" } }, time = { stop = 0.01 }, options = { n = 6 },
}
LUA
expect 0 "$withy" run good.lua -q -o a.h5 -o a.csv -o a.pvd
cp good.lua scene.csv
cp a.h5 result.csv
cksum a.h5 a.csv a.ledger.csv a.probes.csv a.pvd a/000000.vtp scene.csv result.csv > before
same() { # same WHEN: nothing has changed and nothing is left
    cksum a.h5 a.csv a.ledger.csv a.probes.csv a.pvd a/000000.vtp scene.csv result.csv > after
    cmp -s before after || fail "$*: an old file has changed: $(diff before after)"
    [ -z "$(find . -name '*part-*')" ] || fail "$*: left behind: $(find . -name '*part-*')"
}
outputs="-o a.h5 -o a.csv -o a.pvd"
refused() { # refused STATUS MESSAGE command...
    wanted=$1; message=$2; shift 2
    expect "$wanted" "$@"
    says "$message"
    same "$*"
}
refused 2 'probes.tip.what = "nonsense": is not a quantity' "$withy" run good.lua -q $outputs --set 'probes.tip.what="nonsense"'
refused 1 'nowhere/b.csv: cannot be written: No such file' "$withy" run good.lua -q $outputs -o nowhere/b.csv
refused 1 'another -o, has it open' "$withy" run good.lua -q $outputs -o ./a.csv
refused 1 'another -o, has it open' "$withy" run good.lua -q $outputs -o a.ledger.csv
refused 2 'the ending of a result file chooses its format' "$withy" run good.lua -q $outputs -o b.doc
refused 2 'unknown option' "$withy" run good.lua -q $outputs --nonsense
refused 2 'options.n' "$withy" run good.lua -q $outputs --set options.n=-1
refused 2 'must be 3 numbers' "$withy" run good.lua -q $outputs --set 'gravity=function(t) return 1 end'
refused 2 'scene.csv: is an input, which the output would overwrite' "$withy" run scene.csv -q -o ./scene.csv
refused 2 'result.csv: is an input, which the output would overwrite' "$withy" export result.csv --csv -o result.csv
refused 2 'a.h5: is an input, which the output would overwrite' "$withy" view a.h5 -o ./a.h5
refused 1 'nowhere/a.html: cannot be written: No such file' "$withy" view a.h5 -o nowhere/a.html
mkdir folder.svg
if command -v gnuplot >/dev/null 2>&1; then
    refused 1 'folder.svg: cannot be written: Is a directory' "$withy" plot a.h5 -o folder.svg
    refused 1 'folder.svg: cannot be written: Is a directory' "$withy" compare good.lua -o folder.svg
fi
chmod 400 a.csv
if [ ! -w a.csv ]; then # not so for root
    refused 1 'a.csv: cannot be written: Permission denied' "$withy" run good.lua -q -o a.csv
fi
chmod 600 a.csv
expect 0 "$withy" run good.lua -q -o a.csv
[ "$(ls -l a.csv | cut -c1-10)" = -rw------- ] || fail "a private file is no longer private: $(ls -l a.csv)"

for command in "run good.lua" "run good.lua --json" "static good.lua" "check good.lua" "list methods" "export a.h5 --csv" --help --version; do
    [ -e /dev/full ] || break
    "$withy" $command > /dev/full 2>err && fail "$command succeeds although nothing could be printed"
    says "could not write to standard output"
done
[ $failures = 0 ]
