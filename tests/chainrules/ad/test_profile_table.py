"""How a profile is shown."""

from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console

from chainrules.ad import Profile, ProfileRow, profile

LONG = "/a/folder/" + "deep/" * 40 + "rules.py:53"


@pytest.fixture
def table():
    """A table with a long path, and characters that mean something in markup and in HTML."""
    row = ProfileRow("f[int] < g", f"f_rrule ({LONG})", 3, 0.001, 0.0025, 8000, 24)
    return Profile((row,), 0.5, 0.25)


class Cells(HTMLParser):
    """The texts of the cells of a table, row by row."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def handle_starttag(self, tag, attrs):
        """A row or a cell begins."""
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data):
        """The text of a cell."""
        self.rows[-1][-1] += data


def test_table():
    """It prints as a table: a line for each function, and one for all."""
    printed = str(profile(lambda x: np.sum(np.sin(x)), np.ones(1000)))

    words = ("numpy.sin", "numpy.sum", "sin_rrule", "8 kB", "backward ms")
    assert [word for word in words if word not in printed] == []
    assert "all, with everything else" in printed.splitlines()[-2]


def test_brackets_are_no_markup(table):
    """Names are printed as they are."""
    assert "f[int] < g" in str(table)


def test_paths_are_whole(table):
    """A path is in one line where there is no terminal, and in a narrow terminal no part of it is missing."""
    assert LONG in str(table)

    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(table)
    printed = capture.get()
    pieces = [line.split("│")[2].strip() for line in printed.splitlines() if line.count("│") == 8]

    assert LONG in "".join(pieces)
    assert "…" not in printed


def test_notebooks_show_a_table(table):
    """A row of headers, one for each function, and one for all; nothing in it is taken for HTML."""
    cells = Cells()
    cells.feed(table._repr_html_())

    assert cells.rows == [
        ["function", "rule", "calls", "forward ms", "backward ms", "results", "cotangents"],
        ["f[int] < g", f"f_rrule ({LONG})", "3", "1.000", "2.500", "8 kB", "24 B"],
        ["all, with everything else", "", "", "500.000", "250.000", "", ""],
    ]
