"""How tables are shown by terminals and notebooks."""

import functools
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console
from scipy import sparse

from chainrules.ad.values.tables import ShownAsTable, summary
from chainrules_core.structured import Diagonal

LONG = "/a/folder/" + "deep/" * 40 + "rules.py:53"


class Counts(ShownAsTable):
    """A table with a long path, and characters that mean something in markup and in HTML."""

    _text_columns = ("name", "place")
    _number_columns = ("number",)

    def _cells(self):
        yield "f[int] < g", LONG, "12"
        yield "g", "", "7"


class CountsWithSum(Counts):
    """The same with a row below."""

    def _cells_of_all(self):
        return "all", "", "19"


class Cells(HTMLParser):
    """The texts and sides of the cells of a table, row by row."""

    def __init__(self, table):
        super().__init__()
        self.rows, self.sides = [], []
        self.feed(table._repr_html_())

    def handle_starttag(self, tag, attrs):
        """A row or a cell begins."""
        if tag == "tr":
            self.rows.append([])
            self.sides.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
            self.sides[-1].append(dict(attrs)["style"].rpartition(" ")[2])

    def handle_data(self, data):
        """The text of a cell."""
        self.rows[-1][-1] += data


def columns_of(line):
    """The cells of a printed line."""
    return [cell.strip() for cell in line.split("│")[1:-1]]


@pytest.mark.parametrize("table", [Counts(), CountsWithSum()], ids=["rows", "rows and a sum"])
def test_text(table):
    """A line for each row, in which names are as they are: brackets are no markup."""
    lines = str(table).splitlines()

    assert [columns_of(line) for line in lines if line.startswith("│")][:2] == [
        ["f[int] < g", LONG, "12"],
        ["g", "", "7"],
    ]


def test_the_row_below():
    """It is the last line, and is not there where a table has none."""
    assert columns_of(str(CountsWithSum()).splitlines()[-2]) == ["all", "", "19"]
    assert columns_of(str(Counts()).splitlines()[-2]) == ["g", "", "7"]


def test_paths_are_whole():
    """In a narrow terminal no part of a path is missing."""
    console = Console(width=60, color_system=None)
    with console.capture() as capture:
        console.print(Counts())
    printed = capture.get()

    assert LONG in "".join(columns_of(line)[1] for line in printed.splitlines() if line.startswith("│"))
    assert "…" not in printed


def test_notebooks_show_a_table():
    """A row of headers, the rows, and a row below all; nothing in them is taken for HTML."""
    head, rows = ["name", "place", "number"], [["f[int] < g", LONG, "12"], ["g", "", "7"]]

    assert Cells(Counts()).rows == [head, *rows]
    assert Cells(CountsWithSum()).rows == [head, *rows, ["all", "", "19"]]


def test_numbers_stand_to_the_right():
    """And text to the left, in every row."""
    assert Cells(CountsWithSum()).sides == [["left", "left", "right"]] * 4


def test_numbers_are_not_broken():
    """Where there is little room names go on in the next line, and numbers do not."""

    class Large(Counts):
        def _cells(self):
            yield LONG, LONG, "1234567.25"

    assert "1234567.25" in str(Large())


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.0, "1"),
        (1 / 3, "0.333333"),
        (np.float32(0.5), "0.5"),
        (1 + 2j, "1+2j"),
        (3, "3"),
        (np.int64(3), "3"),
        (np.array(2.5), "2.5"),
        (np.ones((3, 4)), "float64[3, 4]"),
        (np.ones(0, "float32"), "float32[0]"),
        (np.array(None), "object[]"),
        ((1.0, np.ones(2)), "(1, float64[2])"),
        ((1.0,), "(1,)"),
        ([1.0, "a"], "[1, 'a']"),
        ({"w": np.ones(2)}, "{'w': float64[2]}"),
        (sparse.csr_array(np.eye(2)), "csr_array float64[2, 2]"),
        (sparse.coo_array(np.float64(1.0).reshape(1)), "coo_array float64[1]"),
        (Diagonal(np.ones(2)), "Diagonal float64[2, 2]"),
        (np.sin, "numpy.sin"),
        (functools.partial(np.sum, axis=0), "an instance of functools.partial"),
        (slice(None, 2), "slice(None, 2, None)"),
        ("text " * 10, "str"),
        ("t" * 22, repr("t" * 22)),
        ("t" * 23, "str"),
        (None, "None"),
    ],
)
def test_summaries(x, expected):
    """Numbers are written out, arrays by dtype and shape, containers by what they hold."""
    assert summary(x) == expected
