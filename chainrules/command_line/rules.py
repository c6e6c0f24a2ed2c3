"""``python -m chainrules rules PATTERN``: the rules of the functions whose names match."""

import argparse
import fnmatch
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from chainrules.command_line.answers import Answer, Section
from chainrules.command_line.dotted_names import dotted_name, object_named
from chainrules.command_line.filed_rules import arguments_of, is_for_instances, rules_by_callee, word_for
from chainrules.command_line.installed_rulesets import load_all_rulesets
from chainrules.command_line.lookup_errors import NothingFoundError, nothing_found
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

Modules are imported if their rules are asked for. A rule says `rule` (a derivative), `zero` (no
argument has an influence that has a derivative), `refused` (it is an error that says what to write
instead) or `opted out` (there is to be none, though a more general rule matches).""",
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
        places = (method.location for method in self.methods.values())
        return (self.primal, self.arguments, ", ".join(self.methods), self.says, _together(places))


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
    columns = ("function", "arguments", "modes", "says", "where")
    return Answer(data, [Section("", columns, [row.cells() for row in rows])])


def rows_matching(pattern: str) -> list[RuleRow]:
    """The rules of the functions whose names match, or that have the name though it is not their own.

    Raises
    ------
    NothingFoundError
        If there is none. The message suggests names that are like it, or says that it has no rules.
    """
    callee = _callee_named(pattern)  # first, for it imports modules, whose rules are loaded then
    found: dict[Any, RuleRow] = {}
    known = set()
    for mode, rules in _MODES.items():
        for f, methods in rules_by_callee(rules).items():
            name = dotted_name(f)
            known.add(name)
            if matches(name, pattern) or (callee is not None and _are_same(f, callee)):
                for method in methods:
                    _add_row(found, name, mode, method)
    if found:
        return list(found.values())
    if callee is not None:
        raise nothing_found(f"{dotted_name(callee)} has no rules.", pattern, known - {dotted_name(callee)})
    raise nothing_found(f"no function whose name matches {pattern!r} has rules.", pattern, known)


def matches(name: str, pattern: str) -> bool:
    """Whether a dotted name, or an end of it, matches a pattern."""
    pattern = f"numpy{pattern.removeprefix('np')}" if pattern.startswith("np.") else pattern
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name, f"*.{pattern}")


def _callee_named(pattern: str) -> Any:
    """The callee of that name: `numpy.abs` is another name of `numpy.absolute`; `None` for patterns."""
    try:
        found = object_named(pattern)
    except NothingFoundError:
        return None
    return found if callable(found) else None


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
