"""The table that `explain_calls` returns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from chainrules.ad.values.tables import ShownAsTable


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
    traced
        Whether something traced was given to one of them, in its arguments or in the function itself.
    """

    function: str
    line: str
    outcome: str
    how: str
    calls: int = 0
    traced: bool = True


@dataclass(frozen=True)
class CallTable(ShownAsTable):
    """The calls that `explain_calls` met. They print as a table, and a notebook shows them as one.

    Calls that were given nothing traced are counted below the table; `all()` shows them too.

    Attributes
    ----------
    rows
        One for each function, place and outcome, in the order in which they were met. All of them.
    shows_all
        Whether those are shown that were given nothing traced.
    """

    rows: tuple[CallRow, ...]
    shows_all: bool = False

    _text_columns: ClassVar = ("function", "called at", "outcome", "how")
    _number_columns: ClassVar = ("calls",)

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            if row.traced or self.shows_all:
                yield row.function, row.line, row.outcome, row.how, str(row.calls)

    def _cells_of_all(self) -> tuple[str, ...]:
        calls = 0 if self.shows_all else sum(row.calls for row in self.rows if not row.traced)
        return (
            ("others, shown by `.all()`", "", "", "nothing traced is given to them", str(calls))
            if calls
            else ()
        )

    def all(self) -> "CallTable":
        """The table that shows the calls that were given nothing traced, too."""
        return CallTable(self.rows, shows_all=True)
