"""The page of the documentation with the tables: the sections of the measured modules, written anew."""

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from benchmarks.measure import Row

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_WITH = ("numpy", "scipy", "autograd", "jax", "torch", "pytensor", "mygrad")


def section(name: str, summary: str, rows: Iterable[Row], plot: str | None = None) -> str:
    """The section of a module: its plot if it has one, its table, and the versions it was measured with."""
    lines = [
        f"| {_in_cell(row.what)} | {_in_cell(row.against)} | {_ratio(row)} | {_target(row)} |" for row in rows
    ]
    found = ", ".join(f"{package} {number}" for package in _WITH if (number := _version(package)))
    return "\n".join(
        [
            f"## {name.replace('_', ' ').capitalize()}",
            "",
            f"{summary} Measured with Python {python_version()}, {found}.",
            "",
            *([f"![{name}: the ratios of the table, on a logarithmic axis]({plot})", ""] if plot else []),
            "| what | against | ratio | at most |",
            "|---|---|---:|---:|",
            *lines,
            "",
        ]
    )


def with_section(page: str, text: str) -> str:
    """A page with a section in the place of the one of the same title, or at its end."""
    title = text.partition("\n")[0]
    old = re.compile(rf"^{re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if old.search(page):
        return old.sub(lambda match: text + ("\n" if match.end() < len(page) else ""), page)
    return f"{page}\n{text}"


def write(text: str) -> None:
    """Write a section into the page."""
    PAGE.write_text(with_section(PAGE.read_text("utf-8"), text), "utf-8")


def _ratio(row: Row) -> str:
    return f"**{row.ratio:.2f}**" if row.ratio > 1 else f"{row.ratio:.2f}"


def _target(row: Row) -> str:
    return "" if row.target is None else f"{row.target:g}"


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
