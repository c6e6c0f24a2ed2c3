"""`Answer`, what a command returns, and how it is printed: for people, for a pipe, as JSON."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Section:
    """A table of an answer, or, where it has no columns, lines of text.

    Attributes
    ----------
    title
        A line above it.
    columns
        The headers of the table.
    rows
        Its cells, or the lines, one cell each.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Answer:
    """What a command found out.

    Attributes
    ----------
    data
        All of it, as what JSON can hold.
    sections
        What people are shown, in this order.
    notes
        Sentences below that.
    """

    data: Any
    sections: Sequence[Section]
    notes: Sequence[str] = field(default=())


def show(answer: Answer, *, as_json: bool) -> None:
    """Print an answer: as JSON, as tables that fit a terminal, or as plain columns where there is none."""
    if as_json:
        print(json.dumps(answer.data, indent=2))  # noqa: T201 - a program's output
    elif sys.stdout.isatty():
        _show_on_terminal(answer)
    else:
        print("\n\n".join([*map(_plain, answer.sections), *answer.notes]))  # noqa: T201 - likewise


def _show_on_terminal(answer: Answer) -> None:
    from rich.console import Console  # noqa: PLC0415 - takes as long to import as a short answer to find
    from rich.table import Table  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above; a string would take brackets for markup

    console = Console()
    for section in answer.sections:
        if section.columns:
            table = Table(title=Text(section.title), title_justify="left")
            for header in section.columns:
                table.add_column(header, overflow="fold")
            for row in section.rows:
                table.add_row(*map(Text, row))
            console.print(table)
        else:
            console.print(Text(_plain(section)))
        console.print()
    for note in answer.notes:
        console.print(Text(note))


def _plain(section: Section) -> str:
    lines = [line for line in (section.title,) if line]
    if not section.columns:
        return "\n".join([*lines, *(line for (line,) in section.rows)])
    cells = [section.columns, *section.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)
