"""``python -m chainrules coverage MODULE``: which functions have rules, and why others have none."""

import argparse
from collections import Counter
from typing import Any

from chainrules.command_line.answers import Answer, Section
from chainrules.command_line.dotted_names import names_beside
from chainrules.command_line.filed_rules import word_for
from chainrules.command_line.followed import MEANINGS
from chainrules.command_line.installed_rulesets import installed_rulesets, load_all_rulesets
from chainrules.command_line.lookup_errors import NothingFoundError, nothing_found
from chainrules.command_line.namespaces import Entry, entries_of

# The words that are said of a function, and their meanings: the lines below the table.
_MEANINGS = {
    "rule": "there is a derivative",
    "zero": "declared: no argument has an influence that has a derivative",
    "refused": "the rule is an error that says what to write instead",
    "opted out": "declared to have no rule, so that AD systems look into the function",
    "gap": "no rule, for the reason that is given",
    **MEANINGS,
    "none": "no rule, and nobody has said why",
}


def add_to(commands: Any) -> argparse.ArgumentParser:
    """Describe the command to the parser."""
    meanings = "\n".join(f"  {word:10} {meaning}" for word, meaning in _MEANINGS.items())
    parser: argparse.ArgumentParser = commands.add_parser(
        "coverage",
        help="list the public functions of a module or class, and which of them have rules",
        description="Says of each public function of a module, or method of a class, whether it has rules.",
        epilog=f"""\
Examples:

  python -m chainrules coverage numpy.linalg
  python -m chainrules coverage numpy.random.Generator
  python -m chainrules coverage numpy.ufunc          # np.add.reduce and its like
  python -m chainrules coverage mypackage --only none

The columns `frule` (forwards) and `rrule` (in reverse) say one of:

{meanings}

Public are the names in `__all__`; where there is none, those without an underscore that are not imported
from another package. The rules of all installed packages count.""",
    )
    parser.add_argument("module", metavar="MODULE", help="the dotted name of a module or class")
    parser.add_argument("--only", choices=_MEANINGS, help="list only the functions that this word is said of")
    return parser


def answer(parsed: argparse.Namespace) -> Answer:
    """The words for each function, and how often each word is said of the reverse mode.

    Raises
    ------
    NothingFoundError
        If there is no module or class of that name, or it has no public function.
    """
    load_all_rulesets()
    listed = _entries(parsed.module)
    counted = Counter(said(entry, "rrule") for entry in listed)
    shown = [entry for entry in listed if parsed.only in (None, said(entry, "frule"), said(entry, "rrule"))]
    rows = [
        (entry.name, said(entry, "frule"), said(entry, "rrule"), "; ".join(_where(entry)) or entry.gap or "")
        for entry in shown
    ]
    data = {
        "module": parsed.module,
        "counts": {word: counted[word] for word in _MEANINGS},
        "functions": [
            {"name": name, "frule": frule, "rrule": rrule, "where": _where(entry), "gap": entry.gap}
            for (name, frule, rrule, _), entry in zip(rows, shown, strict=True)
        ],
    }
    numbers = ", ".join(f"{counted[word]} {word}" for word in _MEANINGS if counted[word])
    note = f"{parsed.module}: {len(listed)} functions; in reverse mode {numbers}."
    return Answer(data, [Section("", ("function", "frule", "rrule", "where, or why not"), rows)], [note])


def said(entry: Entry, mode: str) -> str:
    """The word for a function in one mode: a key of the list of meanings."""
    word = word_for(entry.frules if mode == "frule" else entry.rrules)
    return "gap" if word == "none" and entry.gap is not None else word


def _entries(module: str) -> tuple[Entry, ...]:
    try:
        entries = entries_of(module, lambda f, method: True)
    except (ImportError, AttributeError, ValueError) as error:
        known = [*names_beside(module), *(ruleset.target for ruleset in installed_rulesets())]
        raise nothing_found(f"there is no module or class {module!r} ({error}).", module, known) from None
    if not entries:
        raise NothingFoundError(f"{module!r} has no public functions.")
    return entries


def _where(entry: Entry) -> list[str]:
    """The files of the rules, each once."""
    places = (method.location.rpartition(":")[0] for method in (*entry.frules, *entry.rrules))
    return list(dict.fromkeys(place for place in places if place))
