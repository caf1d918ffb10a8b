"""A modest Markdown renderer: what the pages of this project use, nothing more.

Headings, paragraphs, fenced and indented code, tables, nested lists, quotes, rules, comments; inside a line
code, bold, italic, images, links and bare addresses.  Text is escaped; raw HTML is shown, not obeyed.
"""
import html
import re

FENCE = re.compile(r"^(\s*)```(.*)$")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+(.*)$")
ROW = re.compile(r"^\s*\|.*\|\s*$")
RULE = re.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")


def slug(text, seen):
    """The anchor GitHub gives a heading."""
    base = re.sub(r"[^\w\- ]", "", re.sub(r"`|\*", "", text).strip().lower()).replace(" ", "-")
    count = seen.get(base, 0)
    seen[base] = count + 1
    return f"{base}-{count}" if count else base


class Page:
    def __init__(self, text, link=lambda target: target):
        """link(target) gives the address to write, or None to write the text without a link."""
        self.link = link
        self.seen = {}
        self.headings = []  # (level, text, anchor)
        self.lines = re.sub(r"<!--.*?-->", "", text, flags=re.S).splitlines()

    # ---- inside a line

    def inline(self, text, kept=None):
        """kept: the markup already made, to which the text of a link may refer."""
        kept = [] if kept is None else kept

        def keep(markup):
            kept.append(markup)
            return f"\0{len(kept) - 1}\0"

        def image(match):
            target = self.link(match[2])
            return keep(f'<img src="{html.escape(target or match[2])}" alt="{html.escape(match[1])}" loading="lazy">')

        def anchor(match):
            target = self.link(match[2])
            label = self.inline(match[1], kept)
            return keep(f'<a href="{html.escape(target)}">{label}</a>' if target else label)

        text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m[2].strip())}</code>"), text)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", image, text)
        text = re.sub(r"(?<!\\)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)", anchor, text)
        text = re.sub(r"https?://[^\s)<>]+[^\s)<>.,;:]", lambda m: keep(f'<a href="{html.escape(m[0])}">{html.escape(m[0])}</a>'), text)
        text = html.escape(text, quote=False)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])", r"<em>\1</em>", text)
        text = re.sub(r"\\([\\`*_{}\[\]()#+.!|-])", r"\1", text)
        while "\0" in text:
            text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)
        return text

    # ---- blocks

    def render(self):
        return "\n".join(self.blocks(self.lines))

    def blocks(self, lines):
        out, i = [], 0
        while i < len(lines):
            for read in (self.blank, self.fence, self.heading, self.rule, self.quote, self.table, self.list,
                         self.indented, self.paragraph):
                found = read(lines, i)
                if found:
                    markup, i = found
                    if markup:
                        out.append(markup)
                    break
        return out

    def blank(self, lines, i):
        return None if lines[i].strip() else ("", i + 1)

    def fence(self, lines, i):
        start = FENCE.match(lines[i])
        if not start:
            return None
        end = i + 1
        while end < len(lines) and lines[end].strip() != "```":
            end += 1
        margin, language = len(start[1]), start[2].split(" ")[0]
        code = "\n".join(line[margin:] if not line[:margin].strip() else line for line in lines[i + 1:end])
        return f'<pre class="{html.escape(language)}"><code>{html.escape(code, quote=False)}</code></pre>', end + 1

    def heading(self, lines, i):
        found = re.match(r"^(#{1,6})\s+(.*?)\s*#*$", lines[i])
        if not found:
            return None
        level, text = len(found[1]), found[2]
        name = slug(text, self.seen)
        self.headings.append((level, self.inline(text), name))
        return f'<h{level} id="{name}">{self.inline(text)}<a class="anchor" href="#{name}" aria-label="link">#</a></h{level}>', i + 1

    def rule(self, lines, i):
        return ("<hr>", i + 1) if re.match(r"^\s*(-{3,}|\*{3,})\s*$", lines[i]) else None

    def quote(self, lines, i):
        end = i
        while end < len(lines) and lines[end].startswith(">"):
            end += 1
        if end == i:
            return None
        return "<blockquote>" + "\n".join(self.blocks([line[1:].removeprefix(" ") for line in lines[i:end]])) + "</blockquote>", end

    def table(self, lines, i):
        if not (ROW.match(lines[i]) and i + 1 < len(lines) and RULE.match(lines[i + 1])):
            return None
        end = i + 2
        while end < len(lines) and ROW.match(lines[end]):
            end += 1

        def cells(line):
            safe = re.sub(r"`[^`]*`", lambda m: m[0].replace("|", "\1"), line.strip().strip("|")).replace("\\|", "\1")
            return [cell.strip().replace("\1", "|") for cell in safe.split("|")]

        def row(line, tag):
            return "<tr>" + "".join(f"<{tag}>{self.inline(cell)}</{tag}>" for cell in cells(line)) + "</tr>"

        body = "\n".join(row(line, "td") for line in lines[i + 2:end])
        return f'<div class="scroll"><table><thead>{row(lines[i], "th")}</thead><tbody>\n{body}\n</tbody></table></div>', end

    def list(self, lines, i):
        first = ITEM.match(lines[i])
        if not first:
            return None
        margin, ordered = len(first[1]), first[2][0].isdigit()
        items, end = [], i
        while end < len(lines):
            item = ITEM.match(lines[end])
            if item and len(item[1]) == margin and item[2][0].isdigit() == ordered:
                items.append([item[3]])
                inner = len(lines[end]) - len(item[3])
            elif items and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > margin):
                if not lines[end].strip() and not self.goes_on(lines, end, margin):
                    break
                strip = min(inner, len(lines[end]) - len(lines[end].lstrip()))
                items[-1].append(lines[end][strip:])
            elif items and lines[end].strip() and lines[end - 1].strip() and not self.starts(lines, end):
                items[-1].append(lines[end])  # a line carried over without an indent
            else:
                break
            end += 1
        tag = "ol" if ordered else "ul"
        return f"<{tag}>\n" + "\n".join(f"<li>{self.item(item)}</li>" for item in items) + f"\n</{tag}>", end

    def goes_on(self, lines, i, margin):
        """Does the list continue after the blank lines at i?"""
        while i < len(lines) and not lines[i].strip():
            i += 1
        if i == len(lines):
            return False
        item = ITEM.match(lines[i])
        return len(lines[i]) - len(lines[i].lstrip()) > margin or bool(item and len(item[1]) == margin)

    def item(self, lines):
        markup = self.blocks(lines)
        if markup and markup[0].startswith("<p>"):
            markup[0] = markup[0][3:-4]
        return "\n".join(markup)

    def indented(self, lines, i):
        if not lines[i].startswith("    "):
            return None
        end = i
        while end < len(lines) and (lines[end].startswith("    ") or
                                    (not lines[end].strip() and any(l.startswith("    ") for l in lines[end:end + 2]))):
            end += 1
        code = "\n".join(line[4:] for line in lines[i:end]).rstrip()
        return f"<pre><code>{html.escape(code, quote=False)}</code></pre>", end

    def starts(self, lines, i):
        line = lines[i]
        return (FENCE.match(line) or re.match(r"^#{1,6}\s", line) or line.startswith(">") or ITEM.match(line) or
                (ROW.match(line) and i + 1 < len(lines) and RULE.match(lines[i + 1])))

    def paragraph(self, lines, i):
        end = i + 1
        while end < len(lines) and lines[end].strip() and not self.starts(lines, end):
            end += 1
        text = self.inline(" ".join(line.strip() for line in lines[i:end]))
        alone = re.fullmatch(r'<img [^>]*alt="([^"]*)"[^>]*>', text)
        if alone:
            return f"<figure>{text}<figcaption>{alone[1]}</figcaption></figure>", end
        return f"<p>{text}</p>", end
