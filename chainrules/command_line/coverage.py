"""``python -m chainrules coverage MODULE``: which functions have rules, and why others have none."""

import argparse
import pkgutil
import sys
import types
from collections import Counter
from typing import Any

from chainrules.command_line.answers import Answer, Section
from chainrules.command_line.dotted_names import as_imported, dotted_name, names_beside, object_named
from chainrules.command_line.filed_rules import word_for
from chainrules.command_line.followed import MEANINGS
from chainrules.command_line.gaps import is_nothing
from chainrules.command_line.installed_rulesets import installed_rulesets, is_installed, load_all_rulesets
from chainrules.command_line.lookup_errors import NothingFoundError, nothing_found
from chainrules.command_line.namespaces import Entry, entries_of, entries_of_package
from chainrules.command_line.places import short, where_they_are

# The words that are said of a function, and their meanings: the lines below the table.
_MEANINGS = {
    "rule": "there is a derivative",
    "follows": "there is a derivative, by a rule that follows the code of the function",
    "zero": MEANINGS["zero"],
    "refused": "the rule is an error that says what to write instead",
    "opted out": "declared to have no rule, so that AD systems look into the function",
    "gap": "no rule, for the reason that is given",
    "nothing": "no rule, because there is nothing to differentiate, as the reason says",
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
    parser.add_argument("module", metavar="MODULE", help="the dotted name of a module, class or function")
    only = "list only the functions that this word is said of"
    parser.add_argument("--only", choices=_MEANINGS, metavar="WORD", help=only)
    return parser


def answer(parsed: argparse.Namespace) -> Answer:
    """The words for each function, and how often each word is said of the reverse mode.

    Raises
    ------
    NothingFoundError
        If there is no module or class of that name, or it has no public function.
    """
    load_all_rulesets()
    module, listed = _entries(parsed.module)
    counted = Counter(said(entry, "rrule") for entry in listed)
    shown = [entry for entry in listed if parsed.only in (None, said(entry, "frule"), said(entry, "rrule"))]
    rows = [(entry.name, said(entry, "frule"), said(entry, "rrule"), _why(entry)) for entry in shown]
    data = {
        "module": module,
        "counts": {word: counted[word] for word in _MEANINGS},
        "functions": [
            {
                "name": name,
                "frule": frule,
                "rrule": rrule,
                "where": _where(entry),
                "gap": entry.gap,
                "followed": entry.followed and entry.followed._asdict(),
            }
            for (name, frule, rrule, _), entry in zip(rows, shown, strict=True)
        ],
    }
    numbers = ", ".join(f"{counted[word]} {word}" for word in _MEANINGS if counted[word])
    functions = "function" if len(listed) == 1 else "functions"
    note = f"{module}: {len(listed)} {functions}; in reverse mode {numbers}."
    places = where_they_are(place for entry in shown for place in _where(entry))
    columns = ("function", "frule", "rrule", "where, or why not, or the call that was tried")
    return Answer(data, [Section("", columns, rows)], [note, *places, *_modules_in(module)])


def said(entry: Entry, mode: str) -> str:
    """The word for a function in one mode: a key of the list of meanings."""
    word = word_for(entry.frules if mode == "frule" else entry.rrules)
    if word != "none":
        return word
    tried = entry.followed.says if entry.followed is not None else word
    if entry.gap is None or tried in {"followed", "zero"}:  # what a test shows is more than a reason
        return tried
    return "nothing" if is_nothing(entry.gap) else "gap"


def _entries(words: str) -> tuple[str, tuple[Entry, ...]]:
    """The whole name of a module or class, or of a function of one, and the entries."""
    try:
        found = object_named(words)
    except NothingFoundError as error:
        known = [*names_beside(words), *(ruleset.target for ruleset in installed_rulesets())]
        raise nothing_found(f"there is no module or class {words!r}.", words, known) from error
    name = _whole_name(words, found)
    if isinstance(found, types.ModuleType | type):
        entries = entries_of(name, lambda f, method: True)
        if isinstance(found, types.ModuleType) and not any(entry.frules or entry.rrules for entry in entries):
            entries = entries_of_package(name, lambda f, method: True)  # such as `scipy`
    else:
        owner, _, last = name.rpartition(".")
        entries = tuple(entry for entry in entries_of(owner, lambda f, method: True) if entry.name == last)
    if not entries:
        raise NothingFoundError(f"{name!r} has no public functions, and is none.")
    return name, entries


def _whole_name(words: str, found: Any) -> str:
    name = as_imported(words)
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        return str(found.__name__) if isinstance(found, types.ModuleType) else dotted_name(found)
    return name


def _modules_in(name: str) -> list[str]:
    """A sentence about the public modules of a package such as `scipy`, whose functions are not its own."""
    names = getattr(sys.modules.get(name), "__all__", ()) if "." not in name else ()
    modules = [f"{name}.{other}" for other in names if is_installed(f"{name}.{other}")]
    return [f"Its modules are asked about by themselves: {', '.join(modules)}."] if modules else []


def _why(entry: Entry) -> str:
    followed = entry.followed.because if entry.followed is not None else ""
    reason = "" if said(entry, "rrule") in {"followed", "zero"} else entry.gap
    return "; ".join(map(short, _where(entry))) or reason or followed


def _where(entry: Entry) -> list[str]:
    """The files of the rules, each once."""
    places = (method.location.rpartition(":")[0] for method in (*entry.frules, *entry.rrules))
    return list(dict.fromkeys(place for place in places if place))
