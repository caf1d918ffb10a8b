#!/usr/bin/env python3
"""A small moving picture of a result: python3 tools/thumbnail.py RESULT.csv OUT.svg

The rods of a table written by `withy run -o RESULT.csv`, in the plane in which they are widest, as lines that move
(SMIL animation: any browser plays it in an <img>, without a script).  A path of equilibria moves through its points.
"""
import csv
import math
import sys

FRAMES, POINTS, WIDTH, HEIGHT, MARGIN, SECONDS = 32, 120, 320, 220, 14, 5
FLAT = 0.12  # a motion narrower than this share of its length is drawn wider, with a note
COLOURS = ["#13795b", "#0b5fa5", "#b5541c", "#8a2f6b", "#5b6b12", "#7a5230"]


def read(path):
    """[(time, {rod: [(x, y, z), ...]}), ...] in the order of the file."""
    frames = []
    with open(path, newline="") as file:
        rows = csv.reader(file)
        names = [name.split(" ")[0] for name in next(rows)]
        if "x" not in names:
            return []  # a result without shapes
        at = [names.index(name) for name in ("rod", "x", "y", "z")]
        for row in rows:
            if not frames or frames[-1][0] != row[0]:
                frames.append((row[0], {}))
            frames[-1][1].setdefault(row[at[0]], []).append(tuple(float(row[k]) for k in at[1:]))
    return frames


def choose(items, count):
    """At most `count` of them, evenly, with the first and the last."""
    if len(items) <= count:
        return items
    return [items[round(k * (len(items) - 1) / (count - 1))] for k in range(count)]


def view(frames):
    """How much wider than it is the motion is drawn, and a function from a point to a place in the picture: the two
    widest axes, or a slanted view of what fills space."""
    points = [p for _, rods in frames for line in rods.values() for p in line]
    size = [max(p[k] for p in points) - min(p[k] for p in points) for k in range(3)]
    if min(size) > 0.15 * max(size):
        turn, lift = math.radians(30), math.radians(20)
        flat = lambda p: (p[0] * math.cos(turn) - p[1] * math.sin(turn),
                          p[2] * math.cos(lift) + (p[0] * math.sin(turn) + p[1] * math.cos(turn)) * math.sin(lift))
    else:
        a, b = sorted(sorted(range(3), key=lambda k: -size[k])[:2])
        flat = lambda p: (p[a], p[b])
    places = [flat(p) for p in points]
    low = [min(q[k] for q in places) for k in range(2)]
    span = [max(max(q[k] for q in places) - low[k], 1e-300) for k in range(2)]
    room = [WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN]
    scale = [min(room[0] / span[0], room[1] / span[1])] * 2
    across = 0 if span[0] < span[1] else 1
    larger = 1
    if 1e-9 * span[1 - across] < span[across] < FLAT * span[1 - across]:
        larger = 0.4 * room[across] / (scale[0] * span[across])
        scale[across] *= larger
    middle = [low[k] + span[k] / 2 for k in range(2)]
    return larger, lambda p: (WIDTH / 2 + scale[0] * (flat(p)[0] - middle[0]), HEIGHT / 2 - scale[1] * (flat(p)[1] - middle[1]))


def path_of(lines, place):
    return "".join("M" + "L".join("%.1f %.1f" % place(p) for p in line) for line in lines)


def draw(frames):
    """The SVG: a path per colour; its shape goes through the frames, then rests a moment at the last."""
    rods = list(frames[0][1])
    larger, place = view(frames)
    colours = min(len(rods), len(COLOURS)) if len(rods) <= 12 else 1
    # a frame has little room when there are many rods
    points = max(2, min(POINTS, 6000 // (len(rods) * len(frames)) + 2))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for colour in range(colours):
        mine = [rod for k, rod in enumerate(rods) if k % colours == colour]
        shapes = [path_of([choose(parts[rod], points) for rod in mine], place) for _, parts in frames]
        width = 2.5 if len(rods) <= 12 else 1
        head = f'<path fill="none" stroke="{COLOURS[colour]}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round" d="{shapes[-1]}">'
        moves = ";".join(shapes + [shapes[-1]] * (len(shapes) // 8 + 1))
        move = f'<animate attributeName="d" dur="{SECONDS}s" repeatCount="indefinite" values="{moves}"/>' if len(shapes) > 1 else ""
        out.append(head + move + "</path>")
    if larger > 1:
        out.append(f'<text x="{WIDTH - 8}" y="{HEIGHT - 8}" text-anchor="end" font-family="sans-serif" font-size="12" fill="#5f6a73">'
                   f"{larger:.2g} times wider</text>")
    return "\n".join(out + ["</svg>", ""])


def main():
    if len(sys.argv) != 3:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    frames = choose(read(sys.argv[1]), FRAMES)
    if not frames:
        print(f"thumbnail: {sys.argv[1]} has no positions", file=sys.stderr)
        return 1
    with open(sys.argv[2], "w") as file:
        file.write(draw(frames))
    return 0


if __name__ == "__main__":
    sys.exit(main())
