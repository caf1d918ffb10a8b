#!/bin/sh
# Numbers of [CH] come out of the program: of its studies those that are short under sanitizers.
set -eu
"$2/withy" verify "cheb/5.1.2 route" "cheb/5.3.2 route" "cheb/table 5.4" "cheb/5.4" cheb/orders cheb/damping cheb/weight
