#!/bin/sh
# The documentation builds into a site whose links all resolve and which loads nothing from the network.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
python3 "$1/tools/site.py" "$2/withy" "$work/site" --quick || exit 1
PYTHONPATH=$1/tools exec python3 - "$work/site" <<'PY'
import html.parser, pathlib, re, sys
import markdown

site = pathlib.Path(sys.argv[1])


class Tags(html.parser.HTMLParser):
    void = {"meta", "img", "link", "br", "hr"}

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


pages = {file.resolve(): Tags(file) for file in site.rglob("*.html") if file.name != "view.html"}
assert len(pages) > 12, len(pages)
count = 0
for file, page in pages.items():
    for link in page.links + page.assets:
        if link in page.links and re.match(r"https?:|mailto:", link):
            continue
        path, _, mark = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.is_file(), f"{file}: {link} leads nowhere"
        assert not mark or target not in pages or mark in pages[target].ids, f"{file}: no {link}"
        count += 1

# the renderer
def shows(text, *wanted):
    markup = markdown.Page(text).render()
    for piece in wanted:
        assert piece in markup, f"{piece!r} is not in {markup!r}"

shows("# A `b`\n\n# A b", '<h1 id="a-b">', '<h1 id="a-b-1">')
shows("a\nb *c* **d** `e*f*` x_y_z 2*3*4", "<p>a b <em>c</em> <strong>d</strong> <code>e*f*</code> x_y_z 2*3*4</p>")
shows("<script>alert(1)</script> & `<b>`", "&lt;script&gt;", "&amp;", "<code>&lt;b&gt;</code>")
shows("- a\n  - b\n- c\n\n1. d\ncarried", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>", "<ol>\n<li>d carried</li>")
shows("| a | b |\n|---|---|\n| `x|y` | [t](u) |", "<th>a</th>", "<td><code>x|y</code></td>", '<a href="u">t</a>')
shows("```sh\nls <a>\n```\n\n    x = 1\n", '<pre class="sh"><code>ls &lt;a&gt;</code>', "<pre><code>x = 1</code>")
shows("![alt *text*](a.png)", '<figure><img src="a.png"', "<figcaption>")
print(f"{len(pages)} pages, {count} links")
PY
