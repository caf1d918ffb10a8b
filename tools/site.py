#!/usr/bin/env python3
"""The documentation as a static site: python3 tools/site.py PROGRAM OUT [--quick]

Pages come from README.md, CONTRIBUTING.md, docs/ and cases/; every case is run once for its 3-D replay
(--quick: no case is run).  A replay that is newer than its scene is kept.  Nothing is loaded from the network.
"""
import concurrent.futures
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 180  # seconds for one case

# Source page, place on the site, name in the navigation (None: not there); a bare name is a heading.
PAGES = [
    ("README.md", "index.html", "Overview"),
    "Learn",
    ("docs/tutorial.md", "tutorial.html", "Tutorial"),
    ("docs/jobs.md", "jobs.html", "Twenty jobs"),
    ("cases", "gallery.html", "Gallery"),
    "Look up",
    ("docs/scene.md", "scene.html", "Scenes: every key"),
    ("docs/python.md", "python.html", "From Python"),
    ("docs/sweep.md", "sweep.html", "Sweeps"),
    ("docs/methods.md", "methods.html", "Methods"),
    ("docs/limits.md", "limits.html", "Limits"),
    ("docs/springs.md", "springs.html", "Springs"),
    ("methods", None, None),
    ("docs/theory", None, None),
    ("docs/conformance.md", "conformance.html", "Cases and methods"),
    ("docs/agreement.md", "agreement.html", "Do the methods agree?"),
    ("docs/conventions.md", "conventions.html", "Conventions"),
    ("docs/sources.md", "sources.html", "Sources"),
    ("docs/sources", None, None),
    ("docs/equation_index.md", "equations.html", "Equation index"),
    ("report", "report/index.html", "Verification"),
    "Take part",
    ("docs/architecture.md", "architecture.html", "Architecture"),
    ("CONTRIBUTING.md", "contributing.html", "Add a method"),
    ("docs/adding_a_case.md", "adding_a_case.html", "Add a case"),
    ("CITATION.cff", "cite.html", "How to cite"),
    ("CHANGELOG.md", "changelog.html", "Changes"),
]


def title_of(text):
    found = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", found[1]) if found else ""


def find_pages(out, methods):
    """[(source, place, name)] and headings, of what there is."""
    found = []
    for page in PAGES:
        if isinstance(page, str):
            found.append(page)
        elif page[0] == "methods":
            found += [(f"methods/{m['name']}", f"methods/{m['name']}.html", m["name"]) for m in methods]
        elif page[0] == "docs/theory":
            for file in sorted((ROOT / "docs/theory").glob("*.md")):
                if file.stem not in [m["name"] for m in methods]:
                    found.append((f"docs/theory/{file.name}", f"theory/{file.stem}.html", title_of(file.read_text())))
        elif page[0] == "docs/sources":
            for file in sorted((ROOT / "docs/sources").glob("*.md")):
                found.append((f"docs/sources/{file.name}", f"sources/{file.stem}.html", title_of(file.read_text())))
        elif page[0] == "report":
            if (out / "report/index.html").exists():
                found.append(page)
        elif (ROOT / page[0]).exists():
            found.append(page)
    return found


def solving(scene):
    """How a scene is solved: the command and its arguments (see tools/pictures.sh)."""
    still = re.search(r"^-- (solve: )?static", scene, re.M) or \
        (re.search(r"^\s*path\s*=", scene, re.M) and not re.search(r"^\s*time\s*=", scene, re.M))
    given = re.search(r"^-- with: *(.*)$", scene, re.M)
    return ["static" if still else "run", *(given[1].split() if given else [])]


def head_comment(file):
    """What a method's file opens with: equations, symbols, departures from the source."""
    if not file.exists():
        return ""
    comment = re.match(r"/\*(.*?)\*/", file.read_text(), re.S)[1]
    text = "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip().splitlines())
    return (f'<h2 id="code">What the code solves</h2>\n<p>The head of <code>{file.relative_to(ROOT)}</code>:</p>\n'
            f"<pre><code>{html.escape(text, quote=False)}</code></pre>\n")


class Site:
    def __init__(self, program, out, quick):
        self.program, self.out, self.quick = program, out, quick
        self.problems = []
        self.copied = set()
        listed = subprocess.run([program, "list", "methods", "--json"], capture_output=True, text=True, check=True)
        self.methods = {method["name"]: method for method in json.loads(listed.stdout)}
        self.pages = find_pages(out, self.methods.values())
        self.cases = sorted(p.parent.name for p in (ROOT / "cases").glob("*/scene.lua"))
        self.place = {page[0]: page[1] for page in self.pages if not isinstance(page, str)}
        for name in self.methods:
            self.place[f"docs/theory/{name}.md"] = f"methods/{name}.html"
        for name in self.cases:
            self.place[f"cases/{name}/README.md"] = self.place[f"cases/{name}"] = f"cases/{name}/index.html"

    # ---- links

    def address(self, source, place, target):
        """The address on the site of `target` in the file `source`; None: not on the site."""
        if re.match(r"^(https?:|mailto:|#)", target):
            return target
        path, _, mark = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), path))
        mark = "#" + mark if mark else ""
        if file in self.place:
            return os.path.relpath(self.place[file], os.path.dirname(place) or ".") + mark
        if (ROOT / file).is_file() and file.endswith((".png", ".svg", ".gif", ".jpg")):
            return os.path.relpath(self.copy(file), os.path.dirname(place) or ".")
        if not (ROOT / file).exists():
            self.problems.append(f"{source}: {target} is nowhere")
        return None

    def copy(self, file):
        place = f"pictures/{file.replace('/', '-')}"
        if place not in self.copied:
            (self.out / "pictures").mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, self.out / place)
            self.copied.add(place)
        return place

    # ---- pages

    def navigation(self, place):
        up = os.path.dirname(place) or "."
        items = []
        for page in self.pages:
            if isinstance(page, str):
                items.append(f'<li class="head">{page}</li>')
            elif page[1]:
                inside = page[1] == place or (page[0] == "cases" and place.startswith("cases/"))
                kind = " ".join(filter(None, ["here" if inside else "", "below" if page[1].startswith(("theory/", "methods/")) else ""]))
                items.append(f'<li class="{kind}"><a href="{os.path.relpath(page[1], up)}">{html.escape(page[2])}</a></li>')
        return "\n".join(items)

    def write(self, place, title, body):
        up = os.path.dirname(place) or "."
        head = f"{html.escape(title)} - withy" if title and title != "withy" else "withy: dynamics of slender elastic rods"
        text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{head}</title>
<link rel="stylesheet" href="{os.path.relpath("site.css", up)}">
</head>
<body>
<div class="page">
<nav><div class="inner"><a class="name" href="{os.path.relpath("index.html", up)}">withy</a>
<details open><summary>menu</summary>
<ul>
{self.navigation(place)}
</ul></details></div></nav>
<main>
{body}
<footer>withy, MIT licence. This page was made by <code>make site</code>.</footer>
</main>
</div>
<script>if (innerWidth <= 800) document.querySelector("nav details").open = false;</script>
</body>
</html>
"""
        file = self.out / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def render(self, source, place, text):
        return markdown.Page(text, lambda target: self.address(source, place, target)).render()

    def plain_page(self, source, place):
        text = (ROOT / source).read_text()
        self.write(place, title_of(text), self.render(source, place, text))

    def cite_page(self, place):
        text = (ROOT / "CITATION.cff").read_text()
        field = lambda name: re.search(rf'^{name}: "?([^"\n]+)"?$', text, re.M)[1]
        authors = re.findall(r'^\s+- name: "([^"]+)"', text, re.M) + [
            f"{m[1]}, {m[2]}" for m in re.finditer(r'family-names: "?([^"\n]+)"?\n\s+given-names: "?([^"\n]+)"?', text)]
        bibtex = (f"@software{{withy,\n  title   = {{{field('title')}}},\n  author  = {{{' and '.join(authors)}}},\n"
                  f"  version = {{{field('version')}}},\n  year    = {{{field('date-released')[:4]}}}\n}}")
        body = self.render("CITATION.cff", place, f"# How to cite\n\n{field('message')}\n\n```\n{bibtex}\n```\n\n"
                           "The sources of the methods are on the page of [sources](docs/sources.md). The same as a "
                           f"file for programs:\n\n```\n{text}```\n")
        self.write(place, "How to cite", body)

    # ---- methods

    def method_page(self, name, place):
        method = self.methods[name]
        options = "\n".join(f"| `{o['name']}` | {o['unit']} | {o['default']} | {o['range'].replace('|', ', ')} | {o['doc']} |"
                            for o in method["options"])
        used = [f"[{case}](cases/{case}/README.md)" for case in self.cases if re.search(
            rf'method\s*=\s*"{name}"', (ROOT / "cases" / case / "scene.lua").read_text())]
        text = f"# {name}\n\n{method['summary']}.\n\nSource: {method['source']} (see [sources](docs/sources.md)).\n\n" \
               f"## Options\n\n| option | unit | default | range | meaning |\n|---|---|---|---|---|\n{options}\n\n"
        if used:
            text += f"Cases: {', '.join(used)}.\n\n"
        body = self.render("README.md", place, text)
        theory = ROOT / f"docs/theory/{name}.md"
        if theory.exists():
            body += self.render(f"docs/theory/{name}.md", place, re.sub(r"^# .*\n", "", theory.read_text(), count=1))
        body += head_comment(ROOT / f"src/method/{name}/{name}.c")
        self.write(place, name, body)

    # ---- cases

    def run_case(self, name):
        """Run the case for its replay and, where it has none, its picture."""
        folder = self.out / "cases" / name
        folder.mkdir(parents=True, exist_ok=True)
        scene = ROOT / "cases" / name / "scene.lua"
        view = folder / "view.html"
        if self.quick or (view.exists() and view.stat().st_mtime > scene.stat().st_mtime):
            return
        with tempfile.TemporaryDirectory() as work:
            result = f"{work}/{name}.h5"
            why = self.call(*solving(scene.read_text()), str(scene), "-o", result, "--quiet")
            why = why or self.call("view", result, "-o", str(view))
            why = why or self.call("plot", result, "-o", str(folder / "small.png"), "--shapes", "--size", "640x440")
            if not self.case_picture(name):
                words = re.search(r"^-- plot: *(.*)$", scene.read_text(), re.M)
                why = why or self.call("plot", result, "-o", str(folder / "drawn.svg"), *(words[1].split() if words else []))
            if why:
                self.problems.append(f"cases/{name}: {why}")

    def call(self, *arguments):
        """None, or the reason why the program failed."""
        try:
            done = subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"withy {arguments[0]} takes longer than {PATIENCE} s"
        return None if done.returncode == 0 else done.stderr.strip()

    def case_picture(self, name):
        for file in sorted((ROOT / "cases" / name).glob("picture.*"), key=lambda f: f.suffix != ".svg"):
            return self.copy(f"cases/{name}/{file.name}")
        drawn = f"cases/{name}/drawn.svg"
        return drawn if (self.out / drawn).exists() else None

    def case_text(self, name):
        """Its README; a case without one is reported as a problem."""
        file = ROOT / "cases" / name / "README.md"
        if not file.exists():
            self.problems.append(f"cases/{name} has no README.md")
        return file.read_text() if file.exists() else f"# {name}\n"

    def case_page(self, name, text):
        source, place = f"cases/{name}/README.md", f"cases/{name}/index.html"
        scene = (ROOT / "cases" / name / "scene.lua").read_text()
        body = self.render(source, place, text)
        view = self.out / "cases" / name / "view.html"
        door = '<a href="view.html">3-D replay</a>' if view.exists() else ""
        buttons = f'<div class="buttons">{door}<a href="#scene">the scene</a></div>'
        body = re.sub(r"(</h1>)", lambda m: m[1] + "\n" + buttons, body, count=1)
        body += f'\n<h2 id="scene">The scene</h2>\n<pre class="lua"><code>{html.escape(scene, quote=False)}</code></pre>'
        self.write(place, title_of(text), body)

    def card(self, name, text):
        title = title_of(text) or name
        about = re.search(r"\*\*Purpose\.\*\*\s*(.+?)(?:\n\s*\n|\Z)", text, re.S) or \
            re.search(r"^(?![#!|\s`])(.+?)(?:\n\s*\n|\Z)", text, re.S | re.M)
        about = re.sub(r"\s+", " ", about[1]) if about else ""
        if len(about) > 220:
            about = about[:220].rsplit(" ", 1)[0] + " ..."
        small = f"cases/{name}/small.png"
        picture = small if (self.out / small).exists() else self.case_picture(name)
        shot = f'<img src="{picture}" alt="{html.escape(title)}" loading="lazy">' if picture else "<span>no picture</span>"
        view = self.out / "cases" / name / "view.html"
        doors = f'<a href="cases/{name}/index.html">page</a>' + (
            f'<a href="cases/{name}/view.html">3-D replay</a>' if view.exists() else "")
        words = markdown.Page("").inline(re.sub(r"\*\*|\[|\]\([^)]*\)", "", about))
        return (f'<div class="card"><a class="shot" href="cases/{name}/index.html">{shot}</a><div class="words">'
                f'<h3><a href="cases/{name}/index.html">{html.escape(title)}</a></h3><p>{words}</p>'
                f'<div class="doors">{doors}</div></div></div>')

    def gallery(self, place):
        cards = "\n".join(self.card(name, self.texts[name]) for name in self.cases)
        self.write(place, "Gallery", f"""<h1>Gallery</h1>
<p>Every case is a scene that comes with the program: <code>withy run NAME -o NAME.h5</code> runs it, <code>withy list cases
NAME</code> prints it. The replays open in any browser and need no network.</p>
<div class="cards">
{cards}
</div>""")

    # ---- all

    def build(self):
        self.out.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "tools/site.css", self.out / "site.css")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.run_case, self.cases))
        self.texts = {name: self.case_text(name) for name in self.cases}
        for name in self.cases:
            self.case_page(name, self.texts[name])
        special = {"cases": self.gallery, "CITATION.cff": self.cite_page, "report": lambda place: None}
        for page in self.pages:
            if isinstance(page, str):
                continue
            if page[0].startswith("methods/"):
                self.method_page(page[2], page[1])
            elif page[0] in special:
                special[page[0]](page[1])
            else:
                self.plain_page(page[0], page[1])


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(names) != 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    program, out = str(pathlib.Path(names[0]).resolve()), pathlib.Path(names[1])
    report = pathlib.Path(program).parent / "report"
    if (report / "index.html").exists() and report.resolve() != (out / "report").resolve():
        shutil.copytree(report, out / "report", dirs_exist_ok=True)
    site = Site(program, out, "--quick" in sys.argv)
    site.build()
    for problem in site.problems:
        print(problem, file=sys.stderr)
    print(f"site: {out}/index.html, {len(site.cases)} cases")
    return 1 if site.problems else 0


if __name__ == "__main__":
    sys.exit(main())
