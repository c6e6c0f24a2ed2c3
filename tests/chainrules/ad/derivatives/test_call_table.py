"""What the table of `explain_calls` shows."""

from chainrules.ad import CallRow, CallTable

TABLE = CallTable(
    (CallRow("f<g>", "[a].py:1", "rule", "f_rrule ([b].py:2)", 3), CallRow("g", "", "as it is", "C"))
)


def test_text():
    """A line for each row, with all that is known of the calls."""
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in str(TABLE).splitlines()]

    assert ["f<g>", "[a].py:1", "rule", "f_rrule ([b].py:2)", "3"] in lines
    assert ["g", "", "as it is", "C", "0"] in lines


def test_calls_that_were_given_nothing_traced():
    """They are counted below the table, until all are asked for."""
    table = CallTable((*TABLE.rows, CallRow("len", "", "as it is", "C", 4, traced=False)))

    assert "len" not in str(table)
    (last,) = [line for line in str(table).splitlines() if "others" in line]
    assert "shown by `.all()`" in last
    assert last.split("│")[-2].strip() == "4"
    assert "len" in str(table.all())
    assert "others" not in str(table.all()) + str(TABLE)
    assert table.all().rows == table.rows


def test_html():
    """A row for each row, under the headers."""
    shown = TABLE._repr_html_()

    assert [
        header for header in ("function", "called at", "outcome", "how", "calls") if header not in shown
    ] == []
    assert "f&lt;g&gt;" in shown
    assert shown.count("<tr>") == 3
