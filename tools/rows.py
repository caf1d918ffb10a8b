#!/usr/bin/env python3
"""studies/rows.inc: the rows of `withy verify` with their kinds, so that they can be named without running them.

    tools/rows.py WITHY [--long] NAME...   run `withy verify` with these words, put its rows in the list
    tools/rows.py --report report.json     take them from a report instead
    tools/rows.py --check report.json      say what differs, change nothing; exit status 1 if anything does

Studies that were not run keep their rows; studies that are gone lose them.
"""
import json, os, re, subprocess, sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "studies", "rows.inc")
HEAD = "/* The rows of `withy verify`, with their kinds; written by tools/rows.py (make report). */\n"
FORM = re.compile(r'^ROW\((".*?[^\\]"), (".*?[^\\]"), (\w+),\s+("(?:.*[^\\])?")\)$', re.M)


def quote(text):
    return json.dumps(text, ensure_ascii=False)


def line(row):
    return "ROW(%s, %s, %s, %s)" % (quote(row[0]), quote(row[1]), row[2], quote(row[3]))


def kept():
    text = open(LIST).read()
    return [(json.loads(m[1]), json.loads(m[2]), m[3], json.loads(m[4])) for m in FORM.finditer(text)]


def of_report(path):
    found = {}
    for s in json.load(open(path))["studies"]:
        found[s["source"], s["study"]] = [
            (s["source"], s["study"], r["kind"].upper(), r["quantity"]) for r in s["rows"]]
    return found


def of_run(withy, names):
    out = subprocess.run([withy, "verify", "--json", *names], stdout=subprocess.PIPE, check=False).stdout
    found = {}
    for r in json.loads(out)["rows"]:
        found.setdefault((r["source"], r["study"]), []).append(
            (r["source"], r["study"], r["kind"].upper(), r["quantity"]))
    return found


def merged(found, order):
    old = {}
    for row in kept():
        old.setdefault((row[0], row[1]), []).append(row)
    if order is None:  # keep the places, new studies after the last of their source
        order = list(old)
        for key in found:
            if key not in old:
                same = [i for i, k in enumerate(order) if k[0] == key[0]]
                order.insert(same[-1] + 1 if same else len(order), key)
    return [row for key in order for row in found.get(key, old.get(key, []))]


def main(arguments):
    if len(arguments) < 1:
        sys.exit(__doc__)
    order = None
    if arguments[0] in ("--report", "--check"):
        found = of_report(arguments[1])
    else:
        listed = json.loads(subprocess.run([arguments[0], "verify", "--list", "--json"], stdout=subprocess.PIPE,
                                           check=True).stdout)["studies"]
        order = [(s["source"], s["study"]) for s in listed]
        found = of_run(arguments[0], arguments[1:])
    now = merged(found, order)
    if arguments[0] == "--check":
        old, new = set(map(line, kept())), set(map(line, now))
        for text in sorted(new - old):
            print("not in studies/rows.inc:", text)
        for text in sorted(old - new):
            print("no longer a row:", text)
        sys.exit(1 if old != new else 0)
    with open(LIST, "w") as file:
        file.write(HEAD + "".join(line(row) + "\n" for row in now))


main(sys.argv[1:])
