"""The table that `profile` returns, and how terminals and notebooks show it."""

from dataclasses import dataclass
from html import escape
from typing import Any

# The columns of text, and the columns of numbers.
_TEXT_COLUMNS = ("function", "rule")
_NUMBER_COLUMNS = ("calls", "forward ms", "backward ms", "results", "cotangents")

# Wider than any line with a rule and its file, so that no line is broken where there is no terminal.
_WIDTH = 1000


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
        The time in its pullbacks and thunks, likewise.
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
class Profile:
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

    def __rich__(self) -> Any:
        from rich.table import Table  # noqa: PLC0415 - only whoever prints a profile pays for it
        from rich.text import Text  # noqa: PLC0415 - as above; a string would take brackets for markup

        table = Table(show_footer=True)
        for header, footer in zip(_TEXT_COLUMNS + _NUMBER_COLUMNS, self._cells_of_all(), strict=True):
            if header in _TEXT_COLUMNS:  # a long path goes on in the next line
                table.add_column(header, footer, overflow="fold")
            else:
                table.add_column(header, footer, justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(*map(Text, _cells(row)))
        return table

    def __str__(self) -> str:
        from rich.console import Console  # noqa: PLC0415 - as above

        console = Console(width=_WIDTH, color_system=None)
        with console.capture() as capture:
            console.print(self)
        return capture.get()

    def _repr_html_(self) -> str:
        body = "".join(_html_row("td", _cells(row)) for row in self.rows)
        return (
            f"<table><thead>{_html_row('th', _TEXT_COLUMNS + _NUMBER_COLUMNS)}</thead><tbody>{body}</tbody>"
            f"<tfoot>{_html_row('th', self._cells_of_all())}</tfoot></table>"
        )

    def _cells_of_all(self) -> tuple[str, ...]:
        times = _milliseconds(self.forward_seconds), _milliseconds(self.backward_seconds)
        return "all, with everything else", "", "", *times, "", ""


def _cells(row: ProfileRow) -> tuple[str, ...]:
    times = _milliseconds(row.forward_seconds), _milliseconds(row.backward_seconds)
    return (
        row.function,
        row.rule,
        str(row.calls),
        *times,
        _written_size(row.result_bytes),
        _written_size(row.tangent_bytes),
    )


def _html_row(tag: str, cells: tuple[str, ...]) -> str:
    sides = ["left"] * len(_TEXT_COLUMNS) + ["right"] * len(_NUMBER_COLUMNS)
    written = "".join(
        f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{written}</tr>"


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3f}"


def _written_size(number: float) -> str:
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} GB"
