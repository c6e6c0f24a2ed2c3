"""The table that `explain_calls` returns, and how terminals and notebooks show it."""

from dataclasses import dataclass
from html import escape
from typing import Any

_COLUMNS = ("function", "called at", "outcome", "how", "calls")

# Wider than any line with two files, so that no line is broken where there is no terminal.
_WIDTH = 1000


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
class CallTable:
    """The calls that `explain_calls` met. They print as a table, and a notebook shows them as one.

    Attributes
    ----------
    rows
        One for each function, place and outcome, in the order in which they were met.
    """

    rows: tuple[CallRow, ...]

    def __rich__(self) -> Any:
        from rich.table import Table  # noqa: PLC0415 - only whoever prints a table pays for it
        from rich.text import Text  # noqa: PLC0415 - as above; a string would take brackets for markup

        table = Table()
        for header in _COLUMNS:
            table.add_column(header, overflow="fold")
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
        return f"<table><thead>{_html_row('th', _COLUMNS)}</thead><tbody>{body}</tbody></table>"


def _cells(row: CallRow) -> tuple[str, ...]:
    return row.function, row.line, row.outcome, row.how, str(row.calls)


def _html_row(tag: str, cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
