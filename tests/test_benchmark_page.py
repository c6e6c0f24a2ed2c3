"""The page of the benchmarks: each measured module has a section, which is written anew."""

from benchmarks import page
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
