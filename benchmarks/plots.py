"""The plots of the page, drawn from its tables: ``python -m benchmarks.plots`` draws them all anew.

Each is an SVG file of a few kilobytes. It is written out here, so that the same table gives the same file
everywhere. Its letters are grey: they can be read on white and on black.
"""

import math
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from benchmarks.measure import Row

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = "pictures/benchmarks"

# The sections with a plot: its title, and a pattern where a row of a table says both the label and the mark.
# Otherwise the mark is for the other library.
PLOTS = {
    "rules": ("The time of a rule, divided by that of a closure by hand", "rule of (.+), (.+)"),
    "gradients": ("The time of a gradient, divided by that of others", None),
    "compiling": ("The time of a compiled gradient, divided by that of others", None),
}
MARKS = (("●", "#3b82f6"), ("■", "#e8590c"), ("▲", "#2f9e44"), ("◆", "#c2255c"))

_TICKS = [digit * 10.0**power for power in range(-4, 5) for digit in (1, 2, 5)]
_WIDTH, _LEFT, _RIGHT, _LINE, _TOP, _BOTTOM = 720, 290, 700, 20, 64, 44


def points(name: str, rows: Iterable[Row]) -> Iterator[tuple[str, str, float]]:
    """The label, the mark and the ratio of each row that the plot of a section has."""
    pattern = PLOTS[name][1]
    for row in rows:
        if pattern is None:
            yield re.sub(r"^[a-z] |, compiled$", "", row.what), row.against, row.ratio
        elif match := re.fullmatch(pattern, row.what):
            yield match[1], match[2], row.ratio


def svg(title: str, drawn: list[tuple[str, str, float]]) -> str:
    """A plot: a line for each label, with a mark for each ratio on a logarithmic axis."""
    labels = list(dict.fromkeys(label for label, _, _ in drawn))
    kinds = dict(zip(dict.fromkeys(kind for _, kind, _ in drawn), MARKS, strict=False))
    ratios = [ratio for _, _, ratio in drawn]
    least = max(tick for tick in _TICKS if tick <= min(*ratios, 0.5))
    most = min(tick for tick in _TICKS if tick >= max(*ratios, 2.0))

    def x(ratio: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * math.log(ratio / least) / math.log(most / least)

    bottom = _TOP + _LINE * len(labels)
    text = [f'<text x="{_LEFT}" y="20" class="title">{escape(title)}</text>']
    for place, (kind, (mark, color)) in enumerate(kinds.items()):
        at = _LEFT + place * (_RIGHT - _LEFT) / len(kinds)
        text.append(f'<text x="{at:.0f}" y="44"><tspan fill="{color}">{mark}</tspan> {escape(kind)}</text>')
    for tick in (tick for tick in _TICKS if least <= tick <= most):
        kind = "one" if tick == 1 else "tick"
        text.append(f'<path class="{kind}" d="M{x(tick):.1f},{_TOP - 8}V{bottom}"/>')
        text.append(f'<text x="{x(tick):.1f}" y="{bottom + 16}" class="middle">{tick:g}</text>')
    for side, anchor, shift in (("← quicker here", "end", -8), ("slower here →", "start", 8)):
        at = f'x="{x(1) + shift:.1f}" y="{bottom + 36}"'
        text.append(f'<text {at} text-anchor="{anchor}">{side}</text>')
    for place, label in enumerate(labels):
        y = _TOP + _LINE * place + 8
        text.append(f'<text x="{_LEFT - 14}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        for kind, ratio in ((kind, ratio) for each, kind, ratio in drawn if each == label):
            mark, color = kinds[kind]
            text.append(f'<text x="{x(ratio):.1f}" y="{y + 5}" class="mark" fill="{color}">{mark}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + _BOTTOM}" role="img"',
            "     font-family=\"-apple-system, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif\"",
            '     font-size="13" fill="#808890">',
            "<style>.title { font-weight: bold; font-size: 15px } .middle, .mark { text-anchor: middle }",
            "path { stroke: #808890; opacity: 0.35 } .one { opacity: 1; stroke-width: 1.5 }",
            ".mark { font-size: 16px }</style>",
            f"<title>{escape(title)}</title>",
            *text,
            "</svg>\n",
        ]
    )


def picture(name: str, rows: Iterable[Row]) -> str | None:
    """Draw the plot of a section; returns its path below `docs/`, or `None` for a section without one."""
    drawn = list(points(name, rows)) if name in PLOTS else []
    if not drawn:
        return None
    path = f"{FOLDER}/{name}.svg"
    (DOCS / FOLDER).mkdir(parents=True, exist_ok=True)
    (DOCS / path).write_text(svg(PLOTS[name][0], drawn), "utf-8")
    return path


def rows_of(page: str, name: str) -> Iterator[Row]:
    """The rows of a section's table."""
    section = re.search(rf"^## {name.capitalize()}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    table = re.compile(r"^\| (.+) \| (.+) \| \**([\d.]+)\** \| (.*) \|$", re.MULTILINE)
    for what, against, ratio, _ in table.findall(section[1] if section else ""):
        yield Row(what, against, float(ratio))


if __name__ == "__main__":
    for section_name in PLOTS:
        print(picture(section_name, rows_of((DOCS / "benchmarks.md").read_text("utf-8"), section_name)))
