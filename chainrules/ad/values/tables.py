"""Values that print as tables, in notebooks too; and the text of a value that may be large."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from html import escape
from typing import Any, ClassVar

import numpy as np

from chainrules_core import describe_callee, primal_of

# Wider than any line with two files, so that no line is broken where there is no terminal.
_WIDTH = 1000


class ShownAsTable(ABC):
    """A value that terminals and notebooks show as a table: text to the left, then numbers to the right.

    A subclass names the columns, and gives the cells.
    """

    _text_columns: ClassVar[tuple[str, ...]]
    _number_columns: ClassVar[tuple[str, ...]]

    @abstractmethod
    def _cells(self) -> Iterable[tuple[str, ...]]:
        """The cells of each row."""

    def _cells_of_all(self) -> tuple[str, ...]:
        """The cells below all rows; none if there is no such row."""
        return ()

    def __rich__(self) -> Any:
        from rich.table import Table  # noqa: PLC0415 - only whoever prints a table pays for it
        from rich.text import Text  # noqa: PLC0415 - as above; a string would take brackets for markup

        table = Table(show_footer=bool(self._cells_of_all()))
        for header in self._text_columns:  # a long path goes on in the next line
            table.add_column(header, overflow="fold")
        for header in self._number_columns:
            table.add_column(header, justify="right", no_wrap=True)
        for column, cell in zip(table.columns, self._cells_of_all(), strict=False):
            column.footer = cell
        for cells in self._cells():
            table.add_row(*map(Text, cells))
        return table

    def __str__(self) -> str:
        from rich.console import Console  # noqa: PLC0415 - as above

        console = Console(width=_WIDTH, color_system=None)
        with console.capture() as capture:
            console.print(self)
        return capture.get()

    def _repr_html_(self) -> str:
        head = self._html_row("th", self._text_columns + self._number_columns)
        body = "".join(self._html_row("td", cells) for cells in self._cells())
        below = self._cells_of_all()
        foot = f"<tfoot>{self._html_row('th', below)}</tfoot>" if below else ""
        return f"<table><thead>{head}</thead><tbody>{body}</tbody>{foot}</table>"

    def _html_row(self, tag: str, cells: tuple[str, ...]) -> str:
        sides = ["left"] * len(self._text_columns) + ["right"] * len(self._number_columns)
        written = "".join(
            f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{written}</tr>"


_LONGEST_WRITTEN = 24


def summary(x: Any) -> str:
    """A number as it is, an array by dtype and shape, ``float64[3, 4]``, a container by its items."""
    x = primal_of(x)
    if isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype != object:
        x = x[()]
    if isinstance(x, np.ndarray) or (hasattr(x, "dtype") and hasattr(x, "shape") and x.shape):
        name = "" if type(x) is np.ndarray else f"{type(x).__name__} "
        return f"{name}{x.dtype}[{', '.join(map(str, x.shape))}]"
    if isinstance(x, np.number):
        x = x.item()
    if isinstance(x, float | complex):
        return f"{x:.6g}"
    if isinstance(x, tuple):
        return f"({', '.join(map(summary, x))}{',' if len(x) == 1 else ''})"
    if isinstance(x, list):
        return f"[{', '.join(map(summary, x))}]"
    if isinstance(x, dict):
        return f"{{{', '.join(f'{key!r}: {summary(value)}' for key, value in x.items())}}}"
    if callable(x):
        return describe_callee(x)
    written = repr(x)
    return written if len(written) <= _LONGEST_WRITTEN else type(x).__name__
