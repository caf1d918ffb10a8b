#!/usr/bin/env python3
"""Readable structs: no struct of a method has more than 40 fields.

usage: check_structs.py SOURCE_DIR
"""
import pathlib
import re
import sys

MOST = 40


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def bodies(text):
    """(name, body) of every struct definition, nested ones included in their outer body."""
    for match in re.finditer(r"\bstruct\s*(\w*)\s*\{", text):
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        after = re.match(r"\s*(\w+)?", text[at:])
        yield match[1] or after[1] or "?", text[match.end():at - 1]


def fields(body):
    """Declarators of a struct; a nested struct counts as its own fields."""
    count, depth = 0, 0
    for char in body.replace("{", "\0{").replace("}", "}\0"):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == ";" or (char == "," and depth == 0):
            count += 1
    return count


def main():
    root = pathlib.Path(sys.argv[1])
    problems, largest = [], (0, "")
    for file in sorted((root / "src/method").rglob("*.[ch]")):
        for name, body in bodies(without_comments(file.read_text())):
            count = fields(body)
            largest = max(largest, (count, name))
            if count > MOST:
                problems.append(f"{file.relative_to(root)}: struct {name} has {count} fields, at most {MOST}")
    print("\n".join(problems) or f"structs: the largest of a method is {largest[1]} with {largest[0]} fields")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
