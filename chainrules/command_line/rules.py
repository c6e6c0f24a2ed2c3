"""``python -m chainrules rules PATTERN``: the rules of the functions whose names match."""

import argparse
import fnmatch
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chainrules.command_line.answers import Answer, Section
from chainrules.command_line.dotted_names import as_imported, dotted_name, object_named
from chainrules.command_line.filed_rules import arguments_of, is_for_instances, rules_by_callee, word_for
from chainrules.command_line.followed import MEANINGS, Followed, read_followed
from chainrules.command_line.gaps import gap_of
from chainrules.command_line.installed_rulesets import load_all_rulesets
from chainrules.command_line.lookup_errors import NothingFoundError, nothing_found
from chainrules.command_line.places import short, where_they_are
from chainrules_core import RuleMethod, frule, rrule

_MODES = {"frule": frule, "rrule": rrule}


def add_to(commands: Any) -> argparse.ArgumentParser:
    """Describe the command to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "rules",
        help="list the rules of a function: for which arguments, in which modes, and where they stand",
        description="Lists the rules of the functions whose dotted names match a pattern.",
        epilog="""\
The pattern may be a whole name or its end, and may hold the wildcards * and ?:

  python -m chainrules rules numpy.linalg.cholesky
  python -m chainrules rules cholesky
  python -m chainrules rules ndarray.sum             # the method x.sum()
  python -m chainrules rules matmul                  # A @ x, also of sparse and structured matrices
  python -m chainrules rules Generator.gamma
  python -m chainrules rules 'numpy.fft.*'

Modules are imported if their rules are asked for. A rule says `rule` (a derivative), `follows` (one that
follows the code of the function), `zero` (no argument has an influence that has a derivative),
`refused` (it is an error that says what to write instead) or `opted out` (there is to be none, though
a more general rule matches). Of a function without rules a line says what becomes of its calls, if that
was tried, and by which call.""",
    )
    parser.add_argument("pattern", metavar="PATTERN", help="a dotted name, its end, or a pattern of names")
    return parser


@dataclass
class RuleRow:
    """The rules of one function for arguments of the same types: one in each mode, as a rule.

    Attributes
    ----------
    primal
        The dotted name of the function.
    arguments
        The types of the arguments that the rules are for.
    methods
        The rules, by their modes.
    """

    primal: str
    arguments: str
    methods: dict[str, RuleMethod] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """The row for JSON."""
        rules = {mode: {"name": m.name, "location": m.location} for mode, m in self.methods.items()}
        return {"primal": self.primal, "arguments": self.arguments, "says": self.says, "rules": rules}

    @property
    def says(self) -> str:
        """Whether there is a derivative; see `word_for`."""
        return word_for(self.methods.values())

    def cells(self) -> tuple[str, ...]:
        """The row for people."""
        places = map(short, self.places)
        return (self.primal, self.arguments, ", ".join(self.methods), self.says, _together(places))

    @property
    def places(self) -> list[str]:
        """Where the rules stand."""
        return [method.location for method in self.methods.values()]


class FollowedRow(NamedTuple):
    """A function without rules, and what becomes of its calls."""

    primal: str
    followed: Followed

    def as_data(self) -> dict[str, Any]:
        """The row for JSON."""
        followed = self.followed
        row = {"primal": self.primal, "arguments": "", "says": followed.says, "rules": {}}
        return {**row, "by": followed.by, "example": followed.example}

    @property
    def says(self) -> str:
        """What becomes of calls: one of `MEANINGS`."""
        return self.followed.says

    def cells(self) -> tuple[str, ...]:
        """The row for people."""
        return (self.primal, "", "", self.says, self.followed.because)

    @property
    def places(self) -> list[str]:
        """There is no rule."""
        return []


def _together(places: Iterable[str]) -> str:
    """Places as ``file:line``, lines of the same file together: ``trees.py:3,8``."""
    lines: dict[str, list[str]] = {}
    for place in places:
        file, _, line = place.rpartition(":")
        if line not in lines.setdefault(file, []):
            lines[file].append(line)
    return " ".join(f"{file}:{','.join(lines[file])}" if file else lines[file][0] for file in lines)


def answer(parsed: argparse.Namespace) -> Answer:
    """The rules of the functions that a pattern matches, in the order of their names."""
    load_all_rulesets()
    rows = sorted(rows_matching(parsed.pattern), key=lambda row: row.primal)
    data = [row.as_data() for row in rows]
    columns = ("function", "arguments", "modes", "says", "where, or the call that was tried")
    notes = where_they_are(place for row in rows for place in row.places)
    said = {row.says for row in rows if isinstance(row, FollowedRow)}
    meanings = [f"{word}: {meaning}." for word, meaning in MEANINGS.items() if word in said]
    sections = [
        Section("", columns, [row.cells() for row in rows]),
        Section("", (), [(m,) for m in meanings]),
    ]
    return Answer(data, sections[: 1 + bool(meanings)], notes)


def rows_matching(pattern: str) -> list[RuleRow | FollowedRow]:
    """The rules of the functions whose names match, or that have the name though it is not their own.

    Functions without rules are among them, if their calls were tried.

    Raises
    ------
    NothingFoundError
        If there is none. The message suggests names that are like it, or says that it has no rules.
    """
    named = _object_named(pattern)  # first, for it imports modules, whose rules are loaded then
    callee = named if callable(named) else None
    found: dict[Any, RuleRow] = {}
    known = set()
    for mode, rules in _MODES.items():
        for f, methods in rules_by_callee(rules).items():
            name = dotted_name(f)
            known.add(name)
            if matches(name, pattern) or (callee is not None and _are_same(f, callee)):
                for method in methods:
                    _add_row(found, name, mode, method)
    tried = [
        FollowedRow(name, followed)
        for namespace, rows in read_followed().items()
        for name, followed in ((f"{namespace}.{name}", followed) for name, followed in rows.items())
        if matches(name, pattern)
    ]
    if found or tried:
        return [*found.values(), *tried]
    if callee is not None:
        name = dotted_name(callee)
        gap = gap_of(*name.rpartition(".")[::2])
        raise nothing_found(f"{name} has no rules{f': {gap}' if gap else ''}.", pattern, known - {name})
    if isinstance(named, types.ModuleType):
        return rows_matching(f"{pattern}.*")
    raise nothing_found(f"no function whose name matches {pattern!r} has rules.", pattern, known)


def matches(name: str, pattern: str) -> bool:
    """Whether a dotted name, or an end of it, matches a pattern."""
    pattern = as_imported(pattern)
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name, f"*.{pattern}")


def _object_named(pattern: str) -> Any:
    """The object of that name: `numpy.abs` is another name of `numpy.absolute`; `None` for patterns."""
    try:
        return object_named(pattern)
    except NothingFoundError:
        return None


def _are_same(f: Any, callee: Any) -> bool:
    # A bound method, such as `np.random.normal`, is served by the rules of the method that it binds.
    return any(type(f) is type(g) and bool(f == g) for g in _itself_and_function(callee))


def _itself_and_function(callee: Any) -> Iterator[Any]:
    yield callee
    if hasattr(callee, "__func__"):
        yield callee.__func__


def _add_row(found: dict[Any, RuleRow], name: str, mode: str, method: RuleMethod) -> None:
    place = method.hints.index(method.callee)
    primal = f"{name} instance" if is_for_instances(method) else name
    # Two modes of one rule have the same types; only the features that they ask of configurations differ.
    key = (primal, method.hints[place + 1 :], method.varargs, bool(method.config), *_rank(method))
    row = found.setdefault(key, RuleRow(primal, arguments_of(method)))
    row.methods[mode] = method


def _rank(method: RuleMethod) -> tuple[int, bool]:
    return method.precedence, method.opts_out
