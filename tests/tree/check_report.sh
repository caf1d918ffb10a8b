#!/bin/sh
# withy verify --report: one folder with a page, its data and its pictures; and the names in the README.
. "$1/tests/tree/workshop.sh"

expect 0 "$withy" verify elastica/"figure 2" --report page --json
python3 - <<'PY' || fail "the rows on stdout, in report.json and on the page"
import html.parser, json, os, re
out, data = json.load(open("out")), json.load(open("page/report.json"))
page, summary = open("page/index.html").read(), open("page/summary.md").read()
assert len(data["studies"]) == 1 and data["studies"][0]["source"] == "elastica"
study = data["studies"][0]
assert len(study["rows"]) == len(out["rows"]) == data["passed"] == out["passed"] > 5
assert data["failed"] == out["failed"] == 0 and study["seconds"] > 0
for kind in ("reproduced", "corrected", "regression"):
    count = sum(r["kind"] == kind for r in study["rows"])
    assert data[kind] == out[kind] == study[kind] == count, kind
assert data["corrected"] >= 1 and data["reproduced"] + data["corrected"] + data["regression"] == data["passed"]
for row in study["rows"]:
    assert row["pass"] is True and abs(row["ours"] - row["expected"]) <= row["tolerance"]
    assert row["quantity"] in page

class Tags(html.parser.HTMLParser):
    void = {"meta", "img", "link", "br"}
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], set(), []
    def handle_starttag(self, tag, attributes):
        if tag not in self.void:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            if name in ("href", "src"):
                self.links.append(value)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
tags = Tags()
tags.feed(page)
assert not tags.open and "study1" in tags.ids
for link in tags.links:
    assert not re.match(r"\w+:|//", link), f"the page loads {link} from the network"
    assert link[1:] in tags.ids if link[0] == "#" else os.path.getsize("page/" + link) > 0, link
assert ("rotating_clamp.svg" in tags.links) == os.path.exists("page/rotating_clamp.svg")
row = re.search(r"^\| `elastica` \|.*\| 1 \| (\d+) \| \1 \| (\d+) \| (\d+) \| (\d+) \|$", summary, re.M)
assert row and int(row[1]) == int(row[2]) + int(row[3]) + int(row[4]), summary
PY
expect 1 "$withy" verify elastica --report /nonexistent/dir
grep -q '/nonexistent/dir: the report cannot be written: No such file' err || fail "no reason: $(cat err)"
expect 2 "$withy" verify nothing

# a note, a quantity or a title cannot break the page: see tests/unit/test_report.c

# The README: the block holds every source with its number of studies (make report writes it;
# check_verify.sh compares the numbers).
expect 0 "$withy" verify --list --json
python3 - "$1/README.md" <<'PY' || fail "the table in the README is old: run make report"
import collections, json, re, sys
block = re.search(r"<!-- verify:begin -->\n(.*)<!-- verify:end -->", open(sys.argv[1]).read(), re.S)[1]
wanted = collections.Counter(s["source"] for s in json.load(open("out"))["studies"] if not s["long"])
found = {m[1]: int(m[2]) for m in re.finditer(r"^\| `(\w+)` \| .* \| (\d+)(?: \| \d+){5} \|$", block, re.M)}
assert found == dict(wanted), f"{found} instead of {dict(wanted)}"
assert not re.search(r"\d s\b", block), "a run time"
PY
# The rows and their kinds can be named without running them.
expect 0 "$withy" verify --rows elastica --json
python3 - <<'PY' || fail "verify --rows: run make report"
import json
listed = {s["study"]: s["rows"] for s in json.load(open("out"))["studies"]}
run = {s["study"]: s["rows"] for s in json.load(open("page/report.json"))["studies"]}
for study, rows in run.items():
    assert [(r["quantity"], r["kind"]) for r in rows] == [(r["quantity"], r["kind"]) for r in listed[study]], study
PY
[ $failures = 0 ]
