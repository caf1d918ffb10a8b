#!/usr/bin/env python3
"""The documentation as a static site: python3 tools/site.py PROGRAM OUT [--quick]

Pages come from README.md, CONTRIBUTING.md, docs/, include/ and cases/; this program lays them out and Eleventy
(site/) renders them.  Every case is run once for its 3-D replay and its small moving picture (--quick: none is run);
a replay that is newer than its scene is kept.  Nothing on the pages is loaded from elsewhere.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import thumbnail

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 1800  # seconds after which a case hangs; the longest takes some twenty
FRONT = ["hanging_spring", "flexible_pendulum", "satellite", "lifted_rod"]  # on the first page

# Source page, place on the site, name in the navigation; a bare name is a heading.
PAGES = [
    ("landing", "index.html", "withy"),
    ("README.md", "readme.html", "Overview"),
    ("docs/install.md", "install.html", "Install"),
    "Learn",
    ("docs/tutorial.md", "tutorial.html", "Tutorial"),
    ("gallery", "gallery.html", "Gallery"),
    ("docs/playground.md", "about_playground.html", "Playground"),
    ("docs/jobs.md", "jobs.html", "Jobs"),
    ("docs/asked.md", "asked.html", "Asked elsewhere"),
    ("docs/springs.md", "springs.html", "Springs"),
    "Reference",
    ("docs/scene.md", "scene.html", "Scenes: every key"),
    ("docs/quantities.md", "quantities.html", "Quantities and their names"),
    ("docs/laws.md", "laws.html", "Section laws"),
    ("docs/cables.md", "cables.html", "Cables"),
    ("docs/active.md", "active.html", "Rods that act"),
    ("docs/closed.md", "closed.html", "Closed rods"),
    ("docs/magnets.md", "magnets.html", "Magnetised rods"),
    ("docs/medium.md", "medium.html", "Rods in water and wind"),
    ("docs/sweep.md", "sweep.html", "Sweeps"),
    ("docs/fit.md", "fit.html", "Fits and gradients"),
    ("docs/limits.md", "limits.html", "Limits"),
    ("docs/notes.md", "notes.html", "Notes"),
    ("docs/glossary.md", "glossary.html", "Glossary"),
    ("docs/conventions.md", "conventions.html", "Conventions"),
    "Python and C",
    ("docs/python.md", "python.html", "From Python"),
    ("docs/python_api.md", "python_api.html", "Python reference"),
    ("docs/pyelastica.md", "pyelastica.html", "For PyElastica users"),
    ("docs/moordyn.md", "moordyn.html", "For MoorDyn users"),
    ("api", "api.html", "C reference"),
    ("docs/ensemble.md", "ensemble.html", "Ensembles"),
    ("docs/gpu.md", "gpu.html", "Batches and GPUs"),
    "Methods",
    ("docs/methods.md", "methods.html", "Options of every method"),
    ("methods", None, None),
    ("docs/theory", None, None),
    "Verification",
    ("docs/verification.md", "verification.html", "What verify proves"),
    ("report", "report/index.html", "All numbers"),
    ("docs/agreement.md", "agreement.html", "Do the methods agree?"),
    ("docs/conformance.md", "conformance.html", "Cases and methods"),
    ("docs/performance.md", "performance.html", "Performance"),
    ("docs/reliability.md", "reliability.html", "Reliability"),
    ("docs/sources.md", "sources.html", "Sources"),
    ("docs/sources", None, None),
    ("docs/equation_index.md", "equations.html", "Equation index"),
    "Contribute",
    ("docs/architecture.md", "architecture.html", "Architecture"),
    ("CONTRIBUTING.md", "contributing.html", "Contributing"),
    ("docs/adding_a_case.md", "adding_a_case.html", "Add a case"),
    ("CITATION.cff", "cite.html", "How to cite"),
    ("CHANGELOG.md", "changelog.html", "Changes"),
]


def title_of(text):
    found = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", found[1]) if found else ""


def find_pages(out, methods):
    """[(source, place, name)] and headings, of what there is; every other page of docs/ is a mistake."""
    found = []
    for page in PAGES:
        if isinstance(page, str):
            found.append(page)
        elif page[0] == "methods":
            found += [(f"methods/{name}", f"methods/{name}.html", name) for name in methods]
        elif page[0] in ("docs/theory", "docs/sources"):
            for file in sorted((ROOT / page[0]).glob("*.md")):
                if file.stem not in methods or page[0] != "docs/theory":
                    found.append((f"{page[0]}/{file.name}", f"{page[0][5:]}/{file.stem}.html", title_of(file.read_text())))
        elif page[0] == "report":
            if (out / "report/index.html").exists():
                found.append(page)
        elif page[0] in ("landing", "gallery", "api") or (ROOT / page[0]).exists():
            found.append(page)
    return found


def solving(scene):
    """How a scene is solved for its replay: the command and its arguments (see tools/pictures.sh)."""
    still = re.search(r"^-- (solve: )?static", scene, re.M) or \
        (re.search(r"^\s*path\s*=", scene, re.M) and not re.search(r"^\s*time\s*=", scene, re.M))
    given = re.search(r"^-- replay: *(.*)$", scene, re.M) or re.search(r"^-- with: *(.*)$", scene, re.M)
    return ["static" if still else "run", *(given[1].split() if given else [])]


def head_comment(file):
    """What a method's file opens with: equations, symbols, departures from the source."""
    if not file.exists():
        return ""
    comment = re.match(r"/\*(.*?)\*/", file.read_text(), re.S)[1]
    text = "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip().splitlines())
    return f"\n## What the code solves\n\nThe head of `{file.relative_to(ROOT)}`:\n\n```text\n{text}\n```\n"


class Site:
    def __init__(self, program, out, quick):
        self.program, self.out, self.quick = program, out, quick
        self.pages_at = out.parent / f"{out.name}-pages"
        self.problems = []
        listed = subprocess.run([program, "list", "methods", "--json"], capture_output=True, text=True, check=True)
        self.methods = {method["name"]: method for method in json.loads(listed.stdout)}
        self.pages = find_pages(out, self.methods)
        self.cases = sorted(p.parent.name for p in (ROOT / "cases").glob("*/scene.lua"))
        self.place = {page[0]: page[1] for page in self.pages if not isinstance(page, str)}
        self.place["cases"] = "gallery.html"
        for name in self.methods:
            self.place[f"docs/theory/{name}.md"] = f"methods/{name}.html"
        for name in self.cases:
            self.place[f"cases/{name}/README.md"] = self.place[f"cases/{name}"] = f"cases/{name}/index.html"
        known = set(self.place) | {"docs"}
        for file in sorted((ROOT / "docs").rglob("*.md")):
            if file.relative_to(ROOT).as_posix() not in known:
                self.problems.append(f"{file.relative_to(ROOT)} is not on the site (PAGES of tools/site.py)")

    # ---- what Eleventy reads: a page is its text under a head of data

    def lay(self, place, title, source, text, kind="md", layout="page.njk", **more):
        file = self.pages_at / re.sub(r"\.html$", "." + kind, place)
        file.parent.mkdir(parents=True, exist_ok=True)
        head = {"layout": layout, "permalink": place, "title": title, "source": source, "place": place, **more}
        file.write_text("---json\n" + json.dumps(head, indent=1) + "\n---\n" + text)

    def plain_page(self, source, place):
        text = (ROOT / source).read_text()
        self.lay(place, title_of(text), source, text)

    def landing_page(self, source, place):
        self.lay(place, "withy", source, "", "njk", "landing.njk", wide=True,
                 about="withy simulates slender elastic rods with error bars: springs, strings, cables, nets, robots")

    def gallery_page(self, source, place):
        self.lay(place, "Gallery", source, "", "njk", "gallery.njk", wide=True)

    def cite_page(self, source, place):
        text = (ROOT / source).read_text()
        field = lambda name: re.search(rf'^{name}: "?([^"\n]+)"?$', text, re.M)[1]
        authors = re.findall(r'^\s+- name: "([^"]+)"', text, re.M) + [
            f"{m[1]}, {m[2]}" for m in re.finditer(r'family-names: "?([^"\n]+)"?\n\s+given-names: "?([^"\n]+)"?', text)]
        bibtex = (f"@software{{withy,\n  title   = {{{field('title')}}},\n  author  = {{{' and '.join(authors)}}},\n"
                  f"  version = {{{field('version')}}},\n  year    = {{{field('date-released')[:4]}}}\n}}")
        self.lay(place, "How to cite", source, f"# How to cite\n\n{field('message')}\n\n```\n{bibtex}\n```\n\n"
                 "[Sources](docs/sources.md) lists the sources of the methods. The same citation as a "
                 f"file for programs:\n\n```\n{text}```\n")

    def api_page(self, source, place):
        """The public headers, each with what it opens with; they carry unit, symbol and range of every field."""
        text = "# The C library, header by header\n\n`#include <withy/withy.h>` includes all headers. Each field has its unit, symbol " \
               "and range next to it. No function prints, exits or aborts.\n"
        for file in sorted((ROOT / "include/withy").glob("*.h"), key=lambda f: (f.name != "withy.h", f.name)):
            text += f"\n## withy/{file.name}\n\n```c\n{file.read_text().rstrip()}\n```\n"
        self.lay(place, "C reference", "README.md", text)

    def method_page(self, name, place):
        method = self.methods[name]
        options = "\n".join(f"| `{o['name']}` | {o['unit']} | {o['default']} | {o['range'].replace('|', ', ')} | {o['doc']} |"
                            for o in method["options"])
        used = [f"[{case}](../../cases/{case}/README.md)" for case in self.cases if re.search(
            rf'method\s*=\s*"{name}"', (ROOT / "cases" / case / "scene.lua").read_text())]
        text = f"# {name}\n\n{method['summary']}.\n\nSource: {method['source']} (see [sources](../sources.md)).\n\n" \
               f"## Options\n\n| option | unit | default | range | meaning |\n|---|---|---|---|---|\n{options}\n\n"
        if used:
            text += f"Cases: {', '.join(used)}.\n\n"
        theory = ROOT / f"docs/theory/{name}.md"
        if theory.exists():
            text += re.sub(r"^# .*\n", "", theory.read_text(), count=1)
        self.lay(place, name, f"docs/theory/{name}.md", text + head_comment(ROOT / f"src/method/{name}/{name}.c"))

    # ---- cases

    def run_case(self, name):
        """Run the case for its replay, its pictures and its sound."""
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
            why = why or self.call("export", result, "--csv", "-o", f"{work}/{name}.csv")
            if why:
                self.problems.append(f"cases/{name}: {why}")
                return
            frames = thumbnail.choose(thumbnail.read(f"{work}/{name}.csv"), thumbnail.FRAMES)
            if frames:
                (folder / "moving.svg").write_text(thumbnail.draw(frames))

    def call(self, *arguments):
        """None, or the reason why the program failed."""
        try:
            done = subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"withy {arguments[0]} takes longer than {PATIENCE} s"
        return None if done.returncode == 0 else done.stderr.strip()

    def put(self, file):
        """A file of the repository next to the pages; its place."""
        place = f"pictures/{file.replace('/', '-')}"
        (self.out / "pictures").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, self.out / place)
        return place

    def case_picture(self, name):
        if (self.out / f"cases/{name}/small.png").exists():
            return f"cases/{name}/small.png"
        for file in sorted((ROOT / "cases" / name).glob("picture.*"), key=lambda f: f.suffix != ".svg"):
            return self.put(f"cases/{name}/{file.name}")
        return None

    def card(self, name):
        """What the gallery shows of a case."""
        file = ROOT / "cases" / name / "README.md"
        if not file.exists():
            self.problems.append(f"cases/{name} has no README.md")
            return {"name": name, "title": name}
        text = file.read_text()
        about = re.search(r"\*\*Purpose\.\*\*\s*(.+?)(?:\n\s*\n|\Z)", text, re.S) or \
            re.search(r"^(?![#!|\s`])(.+?)(?:\n\s*\n|\Z)", text, re.S | re.M)
        about = re.sub(r"\*\*|`|\[|\]\([^)]*\)", "", re.sub(r"\s+", " ", about[1])) if about else ""
        if len(about) > 180:
            about = about[:180].rsplit(" ", 1)[0] + " …"
        sound = f"cases/{name}/sound.wav"
        moving = f"cases/{name}/moving.svg"
        return {"name": name, "title": title_of(text) or name, "about": about, "picture": self.case_picture(name),
                "moving": moving if (self.out / moving).exists() else None,
                "view": (self.out / "cases" / name / "view.html").exists(),
                "sound": self.put(sound) if (ROOT / sound).exists() else None, "text": text,
                "scene": (ROOT / "cases" / name / "scene.lua").read_text()}

    def case_page(self, card):
        data = {key: card[key] for key in ("name", "view", "sound", "scene")}
        self.lay(f"cases/{card['name']}/index.html", card["title"], f"cases/{card['name']}/README.md", card["text"],
                 layout="case.njk", case=data)

    # ---- all

    def themes(self, cards):
        """[{name, id, cards}] of site/themes.json; every case has one theme."""
        listed = json.loads((ROOT / "site/themes.json").read_text())
        names = [name for group in listed.values() for name in group]
        for name in sorted(set(names) ^ set(self.cases)) + sorted({n for n in names if names.count(n) > 1}):
            self.problems.append(f"cases/{name} must stand in one theme of site/themes.json")
        small = lambda c: {key: c.get(key) for key in ("name", "title", "about", "picture", "moving", "view", "sound")}
        return [{"name": name, "id": re.sub(r"\W+", "-", name.lower()), "cards": [small(cards[n]) for n in group if n in cards]}
                for name, group in listed.items()]

    def data(self, cards):
        sample = re.search(r"```lua\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
        navigation = [{"head": page} if isinstance(page, str) else {"place": page[1], "name": page[2]} for page in self.pages]
        version = subprocess.run([self.program, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]
        rows = sum(1 for _ in re.finditer(r"^ROW\(", (ROOT / "studies/rows.inc").read_text(), re.M))
        themes = self.themes(cards)
        front = [c for theme in themes for c in theme["cards"] if c["name"] in FRONT]
        return {"navigation": navigation, "place": self.place, "version": version, "rows": rows, "cases": len(cards),
                "themes": themes, "front": sorted(front, key=lambda c: FRONT.index(c["name"])), "sample": sample,
                "playground": (self.out / "playground.html").exists()}

    def build(self):
        self.out.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.pages_at, ignore_errors=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.run_case, self.cases))
        cards = {name: self.card(name) for name in self.cases}
        for card in cards.values():
            if "text" in card:
                self.case_page(card)
        special = {"landing": self.landing_page, "gallery": self.gallery_page, "CITATION.cff": self.cite_page,
                   "api": self.api_page, "report": lambda source, place: None}
        for page in self.pages:
            if isinstance(page, str):
                continue
            if page[0].startswith("methods/"):
                self.method_page(page[2], page[1])
            else:
                special.get(page[0], self.plain_page)(page[0], page[1])
        (self.pages_at / "_data").mkdir(parents=True, exist_ok=True)
        (self.pages_at / "_data/site.json").write_text(json.dumps(self.data(cards)))
        shutil.copytree(ROOT / "site/includes", self.pages_at / "_includes", dirs_exist_ok=True)
        self.render()

    def render(self):
        """Eleventy makes the pages."""
        tool = ROOT / "site/node_modules/@11ty/eleventy/cmd.cjs"
        if not tool.exists():
            self.problems.append("the static-site tool is not installed: make site installs it (npm ci in site/)")
            return
        where = {**os.environ, "SITE_ROOT": str(ROOT), "SITE_FROM": str(self.pages_at.resolve()), "SITE_OUT": str(self.out.resolve())}
        done = subprocess.run(["node", str(tool), f"--config={os.path.relpath(ROOT / 'site/eleventy.config.mjs', self.pages_at)}"],
                              cwd=self.pages_at, env=where, capture_output=True, text=True)
        if done.returncode:
            self.problems.append((done.stdout + done.stderr).strip())


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(names) != 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    program, out = str(pathlib.Path(names[0]).resolve()), pathlib.Path(names[1])
    for made in ("report/index.html", "playground.html"):
        file = pathlib.Path(program).parent / made
        if file.exists() and file.resolve() != (out / made).resolve():
            (out / made).parent.mkdir(parents=True, exist_ok=True)
            if made.startswith("report/"):
                shutil.copytree(file.parent, out / "report", dirs_exist_ok=True)
            else:
                shutil.copyfile(file, out / made)
    site = Site(program, out, "--quick" in sys.argv)
    site.build()
    for problem in site.problems:
        print(problem, file=sys.stderr)
    print(f"site: {out}/index.html, {len(site.cases)} cases")
    return 1 if site.problems else 0


if __name__ == "__main__":
    sys.exit(main())
