"""How answers are printed."""

import json
import sys

import pytest

from chainrules.command_line.answers import Answer, Section, show

ANSWER = Answer(
    {"rows": 2},
    [
        Section("Letters", ("first", "second"), [("a", "[b]"), ("longer", "c")]),
        Section("", (), [("a line",), ("another [one]",)]),
    ],
    ["That is all."],
)


def test_json(capsys):
    """JSON holds the data, and nothing else."""
    show(ANSWER, as_json=True)

    written = capsys.readouterr().out
    assert json.loads(written) == {"rows": 2}
    assert written == '{\n  "rows": 2\n}\n'  # which people can read as well


def test_plain(capsys):
    """Columns line up, without trailing blanks."""
    show(ANSWER, as_json=False)

    assert capsys.readouterr().out == (
        "Letters\nfirst   second\na       [b]\nlonger  c\n\na line\nanother [one]\n\nThat is all.\n"
    )


@pytest.mark.parametrize("cell", ["[b]", "longer", "another [one]", "Letters", "That is all."])
def test_terminal(cell, capsys, monkeypatch):
    """A table, whose cells are shown as they are, brackets included."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show(ANSWER, as_json=False)

    written = capsys.readouterr().out
    assert cell in written
    assert "─" in written


def test_a_table_that_just_fits(capsys, monkeypatch):
    """A terminal as wide as the table has room for it, one column less has none."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    def shown(width):
        monkeypatch.setenv("COLUMNS", str(width))
        show(Answer([], ANSWER.sections[:1]), as_json=False)
        return capsys.readouterr().out

    width = len(shown(80).splitlines()[-2])  # of the line below the rows, which has no colours
    assert "─" in shown(width)
    assert "─" not in shown(width - 1)


def test_narrow_terminal(capsys, monkeypatch):
    """Where a table has no room its last column stands below, unbroken, so that a place can be clicked on."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    place = "a_long_name/of_a_folder/and_a_file.py:3"
    show(Answer([], [Section("", ("name", "mode", "where"), [("f", "rrule", place)])]), as_json=False)

    assert capsys.readouterr().out == f"name  mode\n    where\nf     rrule\n    {place}\n\n"
