# workshop.sh - for the scripts that run the program from the command line; they begin with
#     . "$1/tests/tree/workshop.sh"
# and end with [ $failures = 0 ].  Arguments of a script: the tree, the build.
set -u
withy=$2/withy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() { echo "FAIL: $*"; failures=$((failures + 1)); }
expect() { # expect STATUS command...: its output is in out and err; success is silent on err
    wanted=$1; shift
    "$@" >out 2>err; got=$?
    [ $got = "$wanted" ] || fail "status $got instead of $wanted: $*: $(cat err)"
    [ "$wanted" != 0 ] || [ ! -s err ] || fail "messages on stderr: $*: $(cat err)"
}
says() { # says TEXT [FILE]
    grep -qF -- "$1" "${2:-err}" || fail "\"$1\" is not in: $(cat "${2:-err}")"
}
needs_hdf5() {
    "$withy" list sinks | grep -q 'hdf5.*HDF5' && { echo "skipped: built without HDF5"; exit 0; }
}
