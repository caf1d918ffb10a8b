#!/bin/sh
# docs/sources/KEY.md names every section, figure, table and claim of a source, and where it is in withy: each named file,
# text in a file and study of `withy verify` exists, and at most 2 % of the places are not there.
#
# A row: | place in the source | what | where in withy |.  The third cell names at least one of
#   `path`            a file or folder of this tree
#   `path#text`       a file that contains the text
#   `verify KEY/NAME` a study of `withy verify --list`
# or begins with "not:" and says why.
# The seeded faults of make mutants still have their places in the code.
python3 "$1/tools/mutate.py" --check || exit 1
set -u
"$2/withy" verify --list --json > /dev/null || exit 1
python3 - "$1" "$2" <<'PYTHON'
import json, pathlib, re, subprocess, sys

root, program = pathlib.Path(sys.argv[1]), sys.argv[2] + "/withy"
listed = json.loads(subprocess.run([program, "verify", "--list", "--json"], capture_output=True, check=True).stdout)
studies = {s["source"] + "/" + s["study"] for s in listed["studies"]}
wrong = 0


def exists(name):
    if name.startswith("verify "):
        return name[7:] in studies
    path, _, text = name.partition("#")
    file = root / path
    if not text or not file.is_file():
        return file.exists() and not text
    content = file.read_text()
    return text in content or text in " ".join(content.split())  # pages are wrapped: a quotation may span two lines


for page in sorted((root / "docs/sources").glob("*.md")):
    places = there = 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.startswith("|") or set(line) <= set("|-: ") or cells[0] == "place in the source":
            continue
        places += 1
        where = f"{page.relative_to(root)}:{number}"
        if len(cells) != 3 or not all(cells):
            print(f"{where}: a row has three cells: place, what, where")
            wrong += 1
        elif cells[2].startswith("not:"):
            if len(cells[2].split()) < 3:
                print(f"{where}: say why it is not there")
                wrong += 1
        else:
            names = re.findall(r"`([^`]+)`", cells[2])
            missing = [n for n in names if not exists(n)]
            there += bool(names) and not missing
            if missing or not names:
                print(f"{where}: " + (f"there is no {missing[0]}" if missing else "names nothing in withy"))
                wrong += 1
    share = 100.0 * there / max(places, 1)
    print(f"{page.stem}: {there} of {places} places ({share:.1f} %)")
    if not share >= 98.0:
        print(f"{page.stem}: fewer than 98 % of the source are in withy")
        wrong += 1
sys.exit(wrong != 0)
PYTHON
