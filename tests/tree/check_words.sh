#!/bin/sh
# What the documents say of counts and defaults is what the tree and the program have.  A statement that was reworded is looked
# for in vain and fails too: then this list is mended with it.
python3 - "$1" "$2/withy" <<'PYTHON'
import json, pathlib, re, subprocess, sys

root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
ask = lambda *a: json.loads(subprocess.run([program, *a, "--json"], capture_output=True, check=True).stdout)
read = lambda name: (root / name).read_text()
methods = {m["name"]: {o["name"]: o["default"] for o in m["options"]} for m in ask("list", "methods")}
wrong = []


def says(name, pattern, want):
    """Every place that matches says `want`, and there is one."""
    found = re.findall(pattern, read(name))
    if not found:
        wrong.append(f'{name}: no longer says "{pattern}"; mend tests/tree/check_words.sh')
    wrong.extend(f"{name}: says {f}, but it is {want}" for f in found if str(f).lower() != str(want).lower())


def default(name, pattern, method, option):
    says(name, pattern, methods[method][option])


number = WORDS[len(methods)]
for name in ("docs/architecture.md", "docs/jobs.md", "README.md"):
    says(name, r"(?:the|all|of) (\w+) methods\b(?! that)", number)
folders = {p.name for p in (root / "src/method").iterdir() if p.is_dir()}
if folders != set(methods):
    wrong.append(f"src/method has {sorted(folders)}, the program {sorted(methods)}")
rooms = {p.name for p in (root / "src").iterdir() if p.is_dir()}
listed = set(re.findall(r"^\| `(\w+)` \|", read("docs/architecture.md").split("## Rooms")[1].split("## A method")[0], re.M))
if not rooms <= listed:
    wrong.append(f"docs/architecture.md: its table of rooms lacks {sorted(rooms - listed)}")
jobs = [int(n) for n in re.findall(r"^## (\d+)\.", read("docs/jobs.md"), re.M)]
if jobs != list(range(1, len(jobs) + 1)):
    wrong.append(f"docs/jobs.md: its jobs are numbered {jobs}")
sys.path.insert(0, str(root / "tools"))
sys.dont_write_bytecode = True
import mutate

for name in ("docs/verification.md", "tools/mutate.py"):
    says(name, r"(\d+) faults", len(mutate.FAULTS))
# defaults that pages give in words
default("docs/theory/cheb.md", r'`integrator = "(\w+)"` \(default\)', "cheb", "integrator")
if methods["cheb"]["ends"] != "auto" or "auto: G" not in subprocess.run([program, "list", "methods", "cheb"], capture_output=True, text=True).stdout:
    wrong.append('docs/theory/cheb.md and docs/agreement.md: ends = "G" is no longer the default of cheb')
says("docs/agreement.md", r"with its default, the conserving end treatment \(`(\w)`\)", "G")
says("docs/theory/cheb.md", r'`ends = "(\w)"` \(default\)', "G")
says("docs/fit.md", r"`--windows (\d+)`, the default", re.search(r'"windows", a->windows, (\d+)', read("cli/cmd_fit.c"))[1])
for name in ("README.md", "docs/theory/director.md"):
    if not re.search(r"director` \| the default|^The default method", read(name), re.M):
        wrong.append(f"{name}: no longer says that director is the default")
# counts of docs/agreement.md are those of its own tables
for part in read("docs/agreement.md").split("\n## ")[1:]:
    said, rows = re.search(r": (\d+) methods, ", part), len(re.findall(r"^\| (?!method|-)\w+ \| \d", part, re.M))
    if said and int(said[1]) != rows:
        wrong.append(f"docs/agreement.md: {part.splitlines()[0]}: {said[1]} methods, {rows} rows")
print("\n".join(wrong) or f"{len(methods)} methods, {len(jobs)} jobs, {len(mutate.FAULTS)} faults: as the documents say")
sys.exit(bool(wrong))
PYTHON
