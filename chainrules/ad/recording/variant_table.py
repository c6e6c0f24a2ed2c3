"""What a compiled function has recorded, as a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from chainrules.ad.recording.places import Place
from chainrules.ad.values.tables import ShownAsTable


@dataclass(frozen=True, slots=True)
class VariantRow:
    """One program that was recorded.

    Attributes
    ----------
    signature
        The arguments that it is for, such as ``x: float64[30], power: 2``.
    operations, guards
        How many operations it has, and how many decisions it compares.
    calls
        How often it answered; of a vectorized function, for how many items.
    seconds
        The time that recording and generating it took.
    by_rows
        Of a vectorized function, the operations that ran item by item, each with its file and line.
    """

    signature: str
    operations: int
    guards: int
    calls: int
    seconds: float
    by_rows: tuple[tuple[str, Place | None], ...] = ()


@dataclass(frozen=True)
class VariantTable(ShownAsTable):
    """The programs that a compiled function has, ``compiled(f).variants``.

    It prints as a table, also in a notebook. ``len(table)`` is the number of programs, ``table[0]`` the row
    of one of them, and a loop over the table goes over the rows.

    Attributes
    ----------
    rows
        One for each program. Of those for the same kind of arguments the latest comes first.
    refusals
        The arguments for which the function runs as it is written: each a pair of text, the arguments and
        the reason.
    """

    rows: tuple[VariantRow, ...]
    refusals: tuple[tuple[str, str], ...] = ()

    _text_columns: ClassVar = ("arguments", "runs")
    _number_columns: ClassVar = ("operations", "guards", "calls", "time to record")

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            numbers = row.operations, row.guards, row.calls
            by_rows = f", item by item: {', '.join(name for name, _ in row.by_rows)}" if row.by_rows else ""
            yield row.signature, f"recorded{by_rows}", *map(str, numbers), f"{1e3 * row.seconds:.1f} ms"
        for signature, reason in self.refusals:
            yield signature, f"as it is written: {reason}", "", "", "", ""

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[VariantRow]:
        return iter(self.rows)

    def __getitem__(self, i: int) -> VariantRow:
        return self.rows[i]
