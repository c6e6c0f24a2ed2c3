"""The table of what was recorded."""

from chainrules.ad.recording.variant_table import VariantRow, VariantTable
from chainrules.ad.values.tables import ShownAsTable


def test_rows_and_refusals():
    """Programs are its items; what is not recorded stands below them, with the reason."""
    row = VariantRow("x: float64[2]", 3, 1, 7, 0.0125)
    table = VariantTable((row,), (("n: 3", "it calls `print`"),))
    assert isinstance(table, ShownAsTable)
    assert (len(table), [*table], table[0]) == (1, [row], row)
    assert not VariantTable(())
    text = str(table)
    assert "x: float64[2]" in text
    assert "12.5 ms" in text
    assert "as it is written: it calls `print`" in text
    assert '<td style="text-align: right">7</td>' in table._repr_html_()
