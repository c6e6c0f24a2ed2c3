"""The table that `profile` returns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from chainrules.ad.values.tables import ShownAsTable


@dataclass(slots=True)
class ProfileRow:
    """The cost of the calls of one function by one rule.

    Attributes
    ----------
    function
        The name of the function.
    rule
        The name of the rule, and where it stands.
    calls
        How often it was called.
    forward_seconds
        The time in the rule, without the time in other rules that it calls.
    backward_seconds
        The time in its pullbacks and thunks, without that of the rules they call.
    result_bytes
        The new memory that its results take.
    tangent_bytes
        The new memory that its cotangents take; of an `frule`, its tangents.
    """

    function: str
    rule: str
    calls: int = 0
    forward_seconds: float = 0.0
    backward_seconds: float = 0.0
    result_bytes: int = 0
    tangent_bytes: int = 0

    @property
    def seconds(self) -> float:
        """The time forwards and backwards."""
        return self.forward_seconds + self.backward_seconds


@dataclass(frozen=True)
class Profile(ShownAsTable):
    """The costs that `profile` measured. They print as a table, and a notebook shows them as one.

    Attributes
    ----------
    rows
        One for each function and rule, the most expensive first.
    forward_seconds, backward_seconds
        The time of the whole call, and of pulling back. It includes the rows, everything else in the program,
        the engine, and measuring.
    """

    rows: tuple[ProfileRow, ...]
    forward_seconds: float
    backward_seconds: float

    _text_columns: ClassVar = ("function", "rule")
    _number_columns: ClassVar = ("calls", "forward ms", "backward ms", "results", "cotangents")

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            times = _milliseconds(row.forward_seconds), _milliseconds(row.backward_seconds)
            sizes = _written_size(row.result_bytes), _written_size(row.tangent_bytes)
            yield row.function, row.rule, str(row.calls), *times, *sizes

    def _cells_of_all(self) -> tuple[str, ...]:
        times = _milliseconds(self.forward_seconds), _milliseconds(self.backward_seconds)
        return "all, with everything else", "", "", *times, "", ""


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3f}"


def _written_size(number: float) -> str:
    for unit in ("B", "kB", "MB"):
        if number < 999.5:  # what would be rounded to 1000
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} GB"
