#!/bin/sh
# Every number of [CH] comes out of the program.
set -eu
"$2/withy" verify cheb
