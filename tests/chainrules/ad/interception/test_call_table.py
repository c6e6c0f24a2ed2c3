"""How the table of `explain_calls` is shown."""

from chainrules.ad import CallRow, CallTable

TABLE = CallTable(
    (CallRow("f<g>", "[a].py:1", "rule", "f_rrule ([b].py:2)", 3), CallRow("g", "", "as it is", "C"))
)


def test_text():
    """A line for each row; brackets are no markup."""
    lines = str(TABLE).splitlines()

    assert any("f<g>" in line and "[a].py:1" in line and "f_rrule ([b].py:2)" in line for line in lines)
    assert any("as it is" in line for line in lines)


def test_html():
    """Names are escaped."""
    shown = TABLE._repr_html_()

    assert shown.startswith("<table><thead><tr><th>function</th>")
    assert "<td>f&lt;g&gt;</td>" in shown
    assert shown.count("<tr>") == 3
