"""The plots of the page, drawn from its tables: ``python -m benchmarks.plots`` draws them all anew."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

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
MARKS = (
    ("o", "#3b82f6"),
    ("s", "#e8590c"),
    ("^", "#2f9e44"),
    ("D", "#c2255c"),
    ("v", "#7048e8"),
    ("P", "#0c8599"),
)
GREY = "#808890"  # can be read on white and on black

# Letters stay letters, and the same table gives the same file.
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "benchmarks",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "figure.titleweight": "bold",
    "axes.grid": True,
    "axes.grid.axis": "x",
    "grid.color": GREY,
    "grid.alpha": 0.35,
    **dict.fromkeys((f"axes.spines.{side}" for side in ("left", "right", "top", "bottom")), False),
    **dict.fromkeys(("ytick.left", "xtick.bottom"), False),
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), GREY),
}


def points(name: str, rows: Iterable[Row]) -> Iterator[tuple[str, str, float]]:
    """The label, the mark and the ratio, as the table has it, of each row that the plot of a section has."""
    pattern = PLOTS[name][1]
    for row in rows:
        ratio = max(round(row.ratio, 2), 0.01)
        if pattern is None:
            yield re.sub(r"^[a-z] |, compiled$", "", row.what), row.against, ratio
        elif match := re.fullmatch(pattern, row.what):
            yield match[1], match[2], ratio


def draw(title: str, drawn: list[tuple[str, str, float]], path: Path) -> None:
    """Write a plot: a line for each label, with a mark for each ratio on a logarithmic axis."""
    labels = list(dict.fromkeys(label for label, _, _ in drawn))
    kinds = dict.fromkeys(kind for _, kind, _ in drawn)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.5, 1.2 + 0.21 * len(labels)), layout="constrained")
        figure.suptitle(title, size=10)
        axes = figure.subplots()
        axes.axvline(1.0, color=GREY)
        for kind, (marker, color) in zip(kinds, MARKS, strict=False):
            marks = [(ratio, labels.index(label)) for label, each, ratio in drawn if each == kind]
            axes.plot(*zip(*marks, strict=True), marker, color=color, markersize=6, label=kind, clip_on=False)
        axes.set(xscale="log", xlabel="← quicker here, slower here →")
        axes.set_yticks(range(len(labels)), labels)
        axes.invert_yaxis()
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter("{x:g}")
        figure.legend(loc="outside lower center", ncols=len(kinds), frameon=False)
        figure.savefig(path, transparent=True, metadata={"Date": None, "Description": repr(drawn)})


def picture(name: str, rows: Iterable[Row]) -> str | None:
    """Draw the plot of a section; returns its path below `docs/`, or `None` for a section without one."""
    drawn = list(points(name, rows)) if name in PLOTS else []
    if not drawn:
        return None
    path = f"{FOLDER}/{name}.svg"
    (DOCS / FOLDER).mkdir(parents=True, exist_ok=True)
    draw(PLOTS[name][0], drawn, DOCS / path)
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
