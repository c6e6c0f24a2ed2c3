"""The page of the benchmarks: each measured module has a section, which is written anew."""

import xml.etree.ElementTree as ET

import pytest

from benchmarks import page, plots
from benchmarks.measure import Row

ROWS = [Row("rrule(f, x)", "a | b", 1.5, 1.3), Row("another", "call", 0.25)]


def test_a_section(tmp_path, monkeypatch):
    """It comes at the end, or in the place of the older one; the others stay."""
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    page.PAGE.write_text("# Benchmarks\n\nHow it was measured.\n")

    page.write(page.section("scalar_rules", "The cost of a rule.", ROWS))
    page.write(page.section("imports", "The time of an import.", []))
    first = page.PAGE.read_text()
    page.write(page.section("scalar_rules", "The cost of a rule.", ROWS))

    assert page.PAGE.read_text() == first
    assert first.startswith(
        "# Benchmarks\n\nHow it was measured.\n\n## Scalar rules\n\nThe cost of a rule. Measured"
    )
    assert "| rrule(f, x) | a \\| b | **1.50** | 1.3 |\n| another | call | 0.25 |  |\n" in first
    assert first.index("## Scalar rules") < first.index("## Imports")
    page.write(page.section("scalar_rules", "Nothing.", []))
    assert "another" not in page.PAGE.read_text()
    assert "## Imports" in page.PAGE.read_text()


def test_a_plot_comes_before_its_table():
    """The page shows what was drawn."""
    text = page.section("rules", "The cost of a rule.", ROWS, "rules.svg")

    assert "](rules.svg)\n\n| what |" in text


@pytest.mark.every_case
@pytest.mark.parametrize("name", plots.PLOTS)
def test_plots_show_the_tables(name):
    """The pictures of the page are drawn from its tables, and each figure of these is in them."""
    text = page.PAGE.read_text("utf-8")
    drawn = (plots.DOCS / plots.FOLDER / f"{name}.svg").read_text("utf-8")
    rows = list(plots.rows_of(text, name))
    points = list(plots.points(name, rows))

    assert f"]({plots.FOLDER}/{name}.svg)" in text
    assert len(points) in {len(rows), len(rows) - 1}  # one row of the rules is about loading them
    assert described(drawn) == repr(points), "draw them by `python -m benchmarks.plots`"


def described(drawn):
    """What a picture says of itself."""
    root = ET.fromstring(drawn)  # noqa: S314 - it is ours
    return root.find(".//{http://purl.org/dc/elements/1.1/}description").text


def test_a_plot(tmp_path, monkeypatch):
    """It says which figures it shows; a section without a plot has none."""
    monkeypatch.setattr(plots, "DOCS", tmp_path)
    rows = [Row("a short, compiled", "a & b", 0.4999), Row("a short, compiled", "others", 199.999)]

    path = plots.picture("compiling", rows)

    drawn = (tmp_path / path).read_text("utf-8")
    assert described(drawn) == "[('short', 'a & b', 0.5), ('short', 'others', 200.0)]"
    assert ">short</text>" in drawn
    in_the_table = list(plots.rows_of(page.section("compiling", "", rows), "compiling"))
    assert [*plots.points("compiling", in_the_table)] == [*plots.points("compiling", rows)]
    assert next(plots.points("compiling", [Row("a", "b", 0.0)])) == ("a", "b", 0.01)
    assert plots.picture("dispatch", rows) is None
    assert plots.picture("rules", []) is None
