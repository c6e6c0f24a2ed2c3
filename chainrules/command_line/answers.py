"""`Answer`, the result of a command, and how it is printed: for people, for a pipe, as JSON."""

import json
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple


class Section(NamedTuple):
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


class Answer(NamedTuple):
    """What a command found out.

    Attributes
    ----------
    data
        All of it, as values that JSON can hold.
    sections
        The tables and lines for people, in this order.
    notes
        Sentences below these.
    """

    data: Any
    sections: Sequence[Section]
    notes: Sequence[str] = ()


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
    from rich.text import Text  # noqa: PLC0415 - as above; a string would take brackets for markup

    console = Console()
    for section in answer.sections:
        table = _table(section) if section.columns else None
        unbounded = console.options.update(max_width=sys.maxsize)
        if table is not None and console.measure(table, options=unbounded).maximum <= console.width:
            console.print(table)
        else:
            console.print(Text(_plain(section, last_below=table is not None)), soft_wrap=True)
        console.print()
    for note in answer.notes:
        console.print(Text(note))


def _table(section: Section) -> Any:
    """A table wide enough that `file:line` is never wrapped, so that terminals can link it."""
    from rich.table import Table  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above

    table = Table(*section.columns, title=Text(section.title), title_justify="left")
    for row in section.rows:
        table.add_row(*map(Text, row))
    return table


def _plain(section: Section, *, last_below: bool = False) -> str:
    """A section as lines: columns that line up, the last of which may stand on lines of its own."""
    lines = [line for line in (section.title,) if line]
    if not section.columns:
        return "\n".join([*lines, *(line for (line,) in section.rows)])
    rows = [section.columns, *section.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        if last_below:
            lines += ["  ".join(cells[:-1]).rstrip(), f"    {cells[-1]}".rstrip()]
        else:
            lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
