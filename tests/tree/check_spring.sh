#!/bin/sh
# withy static --spring: closed forms of springs, and that the methods agree; a scene that is no spring gets a message.
set -eu
withy=$2/withy
"$withy" check falling_rod >/dev/null 2>&1 || { echo "skipped: built without Lua"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >coil.lua <<'LUA'
return {
  rod = { length = 1.2, section = circle { diameter = 1e-3 }, material = { young = 2.06e11, shear = 7.9e10, density = 7850 },
          rest = helix { radius = 0.005, turns = 38 } },
  ends = { start = clamped {}, finish = clamped {} }, gravity = { 0, 0, -9.81 }, method = "director",
}
LUA
sed 's/length = 1.2/length = 0.1885/; s/turns = 38/turns = 6/' coil.lua >short.lua
"$withy" static coil.lua --spring --json >director.json
for method in director se3 fdtd cheb; do "$withy" static short.lua --spring --json -m $method >short.$method.json; done
# the spring is taken out of its scene: what it would touch there is left out
top=$(python3 -c 'import json; print(json.load(open("short.director.json"))["length"] + 0.5e-3 + 1e-5)')
sed "s/gravity =/contact = {}, obstacles = { plane { point = { 0, 0, $top }, normal = { 0, 0, -1 } } }, gravity =/" short.lua >walled.lua
"$withy" static walled.lua --spring --json >walled.json
# the knee of the force: 7.5 turns and more agree with Haringx's formula, with 5 turns the coils touch before
spring() { # turns, diameter, pitch of a wire of 1 mm
    python3 -c 'import sys; from math import hypot, pi; n, D, p = map(float, sys.argv[1:]); print(
        "return { rod = { length = %.10g, section = circle { diameter = 1e-3 }, material = { young = 2.06e11, shear = 7.9e10, "
        "density = 7850 }, rest = helix { radius = %g, turns = %g } }, ends = { start = clamped {}, finish = clamped {} }, "
        "method = \"director\" }" % (n * hypot(pi * D, p), D / 2, n))' "$@" >knee.lua
}
for row in "5 0.005 0.004" "7.5 0.005 0.004" "10 0.005 0.004" "20 0.01 0.006" "30.3 0.01 0.004"; do
    # shellcheck disable=SC2086 # three numbers
    spring $row
    "$withy" static knee.lua --spring --json >"knee.$(echo "$row" | cut -d' ' -f1).json"
done
spring 20 0.01 0.006
"$withy" static knee.lua --spring --json -m se3 --set options.n=100 >knee.se3.json
"$withy" static falling_rod --spring >out 2>err && { echo "a falling rod is taken as a spring"; exit 1; }
grep -q "rod.rest is not a helix, so the rod is not a helical spring; give rod.rest" err || { cat err; exit 1; }
"$withy" static coil.lua --spring -m elastica >out 2>err && { echo "elastica takes a spring"; exit 1; }
grep -q "^withy: elastica: does not support" err || { cat err; exit 1; }
exec python3 - <<'PY'
import json
drop = lambda name: {k: v for k, v in json.load(open(name)).items() if "scene" not in k and k != "wall_s"}
assert drop("walled.json") == drop("short.director.json"), "an obstacle changes the spring"
from math import pi, sqrt, cos, sin, asin

def close(name, got, want, within):
    if not abs(got - want) <= within * abs(want):
        raise SystemExit(f"{name}: {got}, wanted {want} within {within}")

def book(d, D, n, L, E, G, rho):
    C, m, k = D / d, L * pi / 4 * d ** 2 * rho, G * d ** 4 / (8 * D ** 3 * n)
    free = sqrt(L ** 2 - (pi * D * n) ** 2)
    c1, c2 = E / (2 * (E - G)), 2 * pi ** 2 * (E - G) / (2 * G + E)
    haringx = free * c1 * (1 - sqrt(1 - c2 / (0.5 * free / D) ** 2))
    return k, 0.5 * sqrt(k / m), 8 * D / (pi * d ** 3), (4 * C - 1) / (4 * C - 4) + 0.615 / C, (n + 1) * d, haringx

t = json.load(open("director.json"))
k, surge, stress, wahl, solid, haringx = book(1e-3, 0.01, 38, 1.2, 2.06e11, 7.9e10, 7850)
for name, want in (("rate", k), ("surge frequency", surge), ("shear stress per force", stress), ("Wahl factor", wahl),
                   ("solid length", solid), ("buckles when shortened by", haringx)):
    close(name + ", textbook", t[name]["textbook"], want, 1e-9)
# the exact stiffness of a coil whose ends keep their angle differs from the textbook by the pitch, a = 5.8 degrees
a = asin(t["length"] / 1.2)
R = t["diameter"] / 2
EI, GJ = 2.06e11 * pi / 64 * 1e-12, 7.9e10 * pi / 32 * 1e-12
kept = (EI * sin(a) ** 2 + GJ * cos(a) ** 2) / (1.2 * R ** 2)
close("rate of a coil that keeps its ends", t["rate"]["computed"], kept, 0.01)
close("surge frequency", t["surge frequency"]["computed"], surge, 0.02)
# two percent: clamps also take moments
close("stress", t["shear stress per force"]["computed"], stress, 0.04)
# Haringx takes the coil as a beam
close("buckling", t["buckles when shortened by"]["computed"], haringx, 0.10)
first = json.load(open("short.director.json"))
for method in ("se3", "fdtd", "cheb"):
    t = json.load(open(f"short.{method}.json"))
    for name, within in (("rate", 0.02), ("surge frequency", 0.02), ("shear stress per force", 0.03)):
        close(f"{method}, {name}", t[name]["computed"], first[name]["computed"], within)
for turns in ("7.5", "10", "20", "30.3", "se3"):
    t = json.load(open(f"knee.{turns}.json"))
    if t["buckling"] == "unknown" and turns == "se3":
        continue # a coarse mesh may be refused, but gives no wrong figure
    assert t["buckling"] == "buckles", (turns, t["buckling"], t.get("buckling_unknown"))
    row = t["buckles when shortened by"]
    close(f"buckling of {turns} turns", row["computed"], row["textbook"], 0.05)
t = json.load(open("knee.5.json"))
assert t["buckling"] == "stable to the solid length" and t["buckles when shortened by"]["computed"] is None, t
print("springs: closed forms of rate, surge, stress, buckling; four methods agree")
PY
