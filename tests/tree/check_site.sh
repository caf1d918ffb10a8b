#!/bin/sh
# The documentation builds into a site whose links all resolve and which loads nothing from the network; its pages fit a
# phone, can be searched, and axe-core finds nothing serious (site/test/pages.mjs).
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
[ -d "$1/site/node_modules" ] || { echo "the static-site tool is not installed: make site-tool"; exit 1; }
# Debian 12 has Node 18
newer=$(sed -n 's/.*"node": ">= *\([0-9]*\).*/\1/p' "$1/site/package-lock.json" | sort -n | tail -1)
[ "$newer" -le 18 ] || { echo "site/package-lock.json: a package needs Node $newer, Debian 12 has 18"; exit 1; }
python3 "$1/tools/site.py" "$2/withy" "$work/site" --quick || exit 1
# a small moving picture: as many shapes as times, drawn inside its frame
"$2/withy" run falling_rod --set time.stop=4 -o "$work/fall.csv" --quiet || exit 1
python3 "$1/tools/thumbnail.py" "$work/fall.csv" "$work/fall.svg" || exit 1
python3 - "$work/site" "$work/fall.svg" <<'PY' || exit 1
import html.parser, pathlib, re, sys

site = pathlib.Path(sys.argv[1])


class Tags(html.parser.HTMLParser):
    void = {"meta", "img", "link", "br", "hr", "input", "source"}

    def __init__(self, file):
        super().__init__()
        self.file, self.open, self.ids, self.links, self.assets = file, [], set(), [], []
        self.feed(file.read_text())
        assert not self.open, (file, self.open)

    def handle_starttag(self, tag, attributes):
        if tag not in self.void:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                assert value not in self.ids, (self.file, value)
                self.ids.add(value)
            if name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("href", "src"):
                self.assets.append(value)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (self.file, tag, self.getpos())


pages = {file.resolve(): Tags(file) for file in site.rglob("*.html") if file.name not in ("view.html", "playground.html")}
assert len(pages) > 12, len(pages)
count = 0
for file, page in pages.items():
    for link in page.links + page.assets:
        if link.startswith("data:") or link in page.links and re.match(r"https?:|mailto:", link):
            continue
        path, _, mark = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.is_file(), f"{file}: {link} leads nowhere"
        assert not mark or target not in pages or mark in pages[target].ids, f"{file}: no {link}"
        count += 1

# formulas are formulas, code has colours, nothing of Markdown is left
for page in ("methods/director.html", "methods/se3.html"):
    text = (site / page).read_text()
    assert text.count('class="katex-display"') > 5 and "formulas.css" in text, page
    assert "$$" not in text and "katex-error" not in text, page
assert "hljs-" in (site / "cases/catenary/index.html").read_text()
svg = pathlib.Path(sys.argv[2]).read_text()
values = re.search(r'values="([^"]+)"', svg)[1].split(";")
assert len(values) > 8, len(values)
numbers = [float(x) for x in re.findall(r"-?\d+\.\d", " ".join(values))]
assert min(numbers) >= 0 and max(numbers) <= 320, (min(numbers), max(numbers))
print(f"{len(pages)} pages, {count} links")
PY
exec node "$1/site/test/pages.mjs" "$work/site"
