#!/bin/sh
# withy import moordyn: what an example becomes, messages with line and column, and files that were damaged at random.
. "$1/tests/tree/workshop.sh"
cp "$1/examples/moordyn/oc3.txt" oc3.txt
expect 0 "$withy" import moordyn oc3.txt; cp out oc3.lua
expect 0 "$withy" static oc3.lua --json; cp out oc3.json
printf 't,x,y,z,x,y,z,x,y,z\n0,5.2,0,-70,-2.6,4.5033,-70,-2.6,-4.5033,-70\n2,6.2,0,-70,-1.6,4.5033,-70,-1.6,-4.5033,-70\n' >fair.csv
expect 0 "$withy" import moordyn oc3.txt --motion fair.csv; cp out moving.lua
expect 0 "$withy" run moving.lua -o moving.h5 --quiet --set options.dt=0.1
python3 - "$withy" <<'PY' || fail "an import is wrong"
import datetime, json, os, random, re, subprocess, sys
withy = sys.argv[1]
text = open("oc3.txt").read()

def run(words, data=None, motion=None):
    if data is not None:
        open("bad.txt", "wb").write(data if isinstance(data, bytes) else data.encode())
    more = ["--motion", motion] if motion else []
    return subprocess.run([withy, *words, *more], capture_output=True, timeout=600)

def refused(data, words, motion=None):
    r = run(["import", "moordyn", "bad.txt"], data, motion)
    said = r.stderr.decode(errors="replace")
    assert r.returncode == 2 and r.stdout == b"" and words in said, (words, r.returncode, said, r.stdout[:80])

# the tension of the elastic catenary on a rigid bed is 911089 N; kBot d lets the line sink by 3 mm, in 7 elements
probes = json.load(open("oc3.json"))["probes"]
found = [probes["FairTen%d" % i][0] for i in (1, 2, 3)]
assert len(found) == 3 and all(abs(x - 911089) < 3e-4 * 911089 for x in found), found

# line and column, and what is wrong there
refused(text.replace("0.09  ", "0,09  "), 'bad.txt:6:12: "0,09" must be a finite number')
refused(text.replace("  0.0\n", "\n", 1), "bad.txt:6:77: the row has 9 cells, and its header 10 columns")
refused(text.replace("CaAx", "CaAy"), 'bad.txt:4:85: the column "CaAy" is not known here')
refused(text.replace("   EA  ", "       "), "the column ea is missing")
refused(text.replace("kBot", "kBott"), 'withy does not know the option "kBott"')
refused(text.replace("3.0e6    kBot", "-1       kBot"), "kBot must be > 0")
refused(text.replace("0.1      dtOut", "7 WaveKin"), "WaveKin = 7 is not imported")
refused(text.replace("0.1      dtOut", "2 StatDynFricScale"), "StatDynFricScale = 2 is not imported")
refused(text.replace("0.1      dtOut", "0.5 FrictionCoefficient"), "friction on the bed is not supported for lines without EI")
refused(text.replace("384.243E6", "ea.txt|3"), 'EA as "ea.txt|3" is not imported')
refused(text.replace("Coupled     5.2", "Turbine1    5.2"), 'a point that is "Turbine1" is not imported')
refused(text.replace("1        4        902.2", "1        9        902.2"), 'there is no point "9"')
refused(text.replace("1        4        902.2", "R1A      4        902.2"), 'there is no point "R1A"')
refused(text.replace("1    main       1", "1    other      1"), 'there is no line type "other"')
refused(text.replace("2    main  ", "1    main  "), "the line 1 is there twice")
refused(text.replace("902.2     20        p", "0         20        p"), "must be > 0")
refused(text.replace("FairTen1\n", "FairTen9\n"), 'the channel "FairTen9" is not imported')
refused(text.replace("--- OPTIONS ---", "--- OPTIONES ---"), "does not know this section")
refused(text.replace("--- OPTIONS ---", "--- RODS ---"), "withy does not import this section; remove its rows")
refused(text.replace("--- POINTS ---", "--- LINES ---"), "bad.txt:")
refused(text[:text.index("\n---------------------- LINES")], "the section LINES is missing, or empty")
refused(text.replace("oc3", "\0", 1).replace("OC3", "\0", 1), "contains a zero byte")
refused(b"", "the section LINE TYPES is missing, or empty")
for name in ("FairTen1x", "FairTen1-5", "FairTen1\\", "FairTen1]]", "L1N10PZ7", "L1TENA9", "FairTen1000000001", "FairTen+1"):
    refused(text.replace("FairTen1\n", name + "\n"), 'the channel "' + name + '" is not imported')
second = "main       0.05    70    384.243E6 -0.8        0         1.6    1.0    0.1     0.0\n"
refused(text.replace(second[:6], second + second[:6], 1), "the line type main is there twice")
refused(text.replace("902.2     20        p", "902.2     20.5      p"), "must be a whole number")
refused(text.replace("384.243E6", "1e300"), '"1e300" is too large')
refused("--- heading ---\n--- OPTIONES ---\n320 WtrDpth\n" + text.replace("320      WtrDpth\n", ""), "does not know this section")
remarks = text.replace("time step (s)", "word " * 20).replace("Mooring system", "Mooring system " + "word " * 20)
assert run(["import", "moordyn", "bad.txt"], remarks.replace("0.1      dtOut", "0.1      dtOut ! 1\n0.25 dtWave % 1")).returncode == 0
for data, words in ((text.replace("9.80665  g", ""), "g is not given: it is 9.81"),
                    (text.replace("   EI        Cd", "   Cd").replace("-0.8        0  ", "-0.8").replace("9.80665  g", ""), "g is not given: it is 9.80665")):
    r = run(["import", "moordyn", "bad.txt"], data)
    assert r.returncode == 0 and words in r.stdout.decode(), (words, r)
folder = os.path.join(*["d" * 200] * 8)
os.makedirs(folder)
open(folder + "/fair.csv", "w").write(open("fair.csv").read())
assert b'table "fair.csv"' in run(["import", "moordyn", "bad.txt"], text, folder + "/fair.csv").stdout
refused(text, "begins with a dot", ".fair.csv")
open("early.csv", "w").write("-2,5.2,0,-70,-2.6,4.5033,-70,-2.6,-4.5033,-70\n-1,6.2,0,-70,-1.6,4.5033,-70,-1.6,-4.5033,-70\n")
refused(text, "its last time must be > 0", "early.csv")
open("short.csv", "w").write("0,1,2,3\n1,1,2,3\n")
refused(text, "short.csv:1: must be 10 numbers", "short.csv")
open("back.csv", "w").write(open("fair.csv").read().replace("\n2,", "\n0,"))
refused(text, "back.csv:3: the time is not after that of the row before", "back.csv")

# version 1, clump weights where lines meet, a line with bending stiffness
old = """--- LINE DICTIONARY ---
LineType Diam MassDenInAir EA BA/-zeta Can Cat Cdn Cdt
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-)
rope 0.1 20 1e7 1e5 1 0 1.2 0.05   # a comment
--- NODE PROPERTIES ---
Node Type X Y Z M V FX FY FZ CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (kN) (kN) (kN) (m^2) (-)
1 Anchor 0 0 -100 0 0 0 0 0 0 0
2 Vessel 120 0 -10 0 0 0 0 0 0 0
3 Connect 60 0 -60 500 0.1 0 0 0 0 0
--- LINE PROPERTIES ---
Line LineType UnstrLen NumSegs NodeAnch NodeFair Flags/Outputs
(-) (-) (m) (-) (-) (-) (-)
1 rope 75 20 1 3 p
2 rope 80 20 3 2 -
--- SOLVER OPTIONS ---
100 WtrDpth
0.01 dtM
--- OUTPUTS ---
L2N10PX L2N10PZ Con3PZ AnchTen1
END
--- need this line ---
"""
r = run(["import", "moordyn", "bad.txt"], old)
scene = r.stdout.decode()
assert r.returncode == 0, r.stderr
for words in ("gravity = { 0, 0, -9.80665 }", "ball { parts = { \"line1\", \"line2\" }, at = { 75, 0 } }",
              "free { mass = 500, force = { 0, 0, 1005.181625 } }", "the buoyancy of point 3 is constant",
              '["L2N10P"] = { rod = "line2", at = 40, what = "position" }', '["Con3P"] = { rod = "line1", at = 75'):
    assert words in scene, (words, scene)
open("old.lua", "w").write(scene)
assert run(["static", "old.lua", "--quiet"]).returncode == 0
stiff = text.replace("-0.8        0  ", "-0.8        1e6")
scene = run(["import", "moordyn", "bad.txt"], stiff).stdout.decode()
assert "stiffness = { stretch = 384243000, bend = 1000000, twist = 1000000 }" in scene and "cable" not in scene

# damaged files are refused with a place, or are scenes; nothing is printed with an error
day = os.environ.get("WITHY_TEST_DAY", "")
seed = int(day) if day.isdigit() else (datetime.date.today() - datetime.date(1970, 1, 1)).days
draw = random.Random(seed)
read = 0
for k in range(60):
    data = bytearray((text if k % 2 else old).encode())
    for _ in range(draw.randint(1, 2)):
        at, what = draw.randrange(len(data)), draw.randrange(5)
        if what == 0: data[at] = draw.randrange(256)
        elif what == 1: del data[at:at + draw.randint(1, 30)]
        elif what == 2: data[at:at] = bytes(data[at:at + draw.randint(1, 200)])
        elif what == 3: data[at:at] = draw.choice([b"-", b"1e308", b"nan", b" ", b"\n", b"--- LINES ---\n", b"99999999999", b"%s%n", b'"]]', b"#"])
        else: data = data[:max(at, 1)]
    r = run(["import", "moordyn", "bad.txt"], bytes(data))
    assert r.returncode in (0, 2), (seed, k, r)
    if r.returncode == 2:
        assert r.stdout == b"" and re.match(rb"withy: bad\.txt(:\d+:\d+)?: ", r.stderr), (seed, k, r)
        continue
    read += 1
    open("read.lua", "wb").write(r.stdout)
    again = run(["check", "read.lua"])
    assert again.returncode in (0, 1, 2) and b"syntax" not in again.stderr and b"near" not in again.stderr, (seed, k, again)
print(f"seed {seed}: {read} of 60 damaged files are still scenes")
PY
[ $failures = 0 ]
