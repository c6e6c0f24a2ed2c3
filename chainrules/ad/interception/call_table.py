"""The table that `explain_calls` returns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from chainrules.ad.tables import ShownAsTable


@dataclass(slots=True)
class CallRow:
    """What became of the calls of one function at one place.

    Attributes
    ----------
    function
        The name of the function.
    line
        The file and line of the calls.
    outcome
        ``"rule"``, ``"entered"`` or ``"as it is"``.
    how
        The rule and where it stands; where the function that was entered stands; or the reason why it was
        called as it is.
    calls
        How often.
    """

    function: str
    line: str
    outcome: str
    how: str
    calls: int = 0


@dataclass(frozen=True)
class CallTable(ShownAsTable):
    """The calls that `explain_calls` met. They print as a table, and a notebook shows them as one.

    Attributes
    ----------
    rows
        One for each function, place and outcome, in the order in which they were met.
    """

    rows: tuple[CallRow, ...]

    _text_columns: ClassVar = ("function", "called at", "outcome", "how")
    _number_columns: ClassVar = ("calls",)

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            yield row.function, row.line, row.outcome, row.how, str(row.calls)
