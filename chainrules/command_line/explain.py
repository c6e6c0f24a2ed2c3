"""``python -m chainrules explain NAME TYPE...``: the rule that serves a call, and why it does."""

import argparse
import types
from typing import Any

import plum

from chainrules.command_line.answers import Answer, Section
from chainrules.command_line.dotted_names import dotted_name, object_named
from chainrules.command_line.example_values import example_of
from chainrules.command_line.filed_rules import rules_by_callee, word_for
from chainrules.command_line.followed import MEANINGS, read_followed
from chainrules.command_line.installed_rulesets import load_all_rulesets
from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules_core import HasForwardsMode, HasReverseMode, NoTangent, RuleConfig, frule, rrule


def add_to(commands: Any) -> argparse.ArgumentParser:
    """Describe the command to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "explain",
        help="say which rule serves a call with arguments of some types, which it beats, or why none does",
        description="Says which rule serves a call with arguments of some types, and why, in both modes.",
        epilog="""\
Examples:

  python -m chainrules explain numpy.where ndarray ndarray ndarray
  python -m chainrules explain operator.matmul scipy.sparse.csr_array 'ndarray[float32, 1]'
  python -m chainrules explain ndarray.sum ndarray
  python -m chainrules explain map function tuple

A TYPE is the dotted name of a class. Classes of Python, NumPy, scipy.sparse and chainrules_core.structured
need no module before them. `ndarray[float32, 1]` says dtype and number of axes; `None` and `function` stand
for themselves. Dispatch looks at values, so a tiny value of each type is made: an `ndarray` holds float64 and
has two axes, numbers are 1, and for any other class an instance is made without running the constructor. No
rule is called. Rules are looked up as for an AD system that has both modes.""",
    )
    parser.add_argument("name", metavar="NAME", help="the dotted name of a function, class or method")
    parser.add_argument("types", metavar="TYPE", nargs="*", help="the type of each positional argument")
    return parser


def answer(parsed: argparse.Namespace) -> Answer:
    """The explanations of `rrule` and of `frule`.

    Raises
    ------
    NothingFoundError
        If the name or a type is not known, or the name does not belong to a function.
    """
    load_all_rulesets()
    f = _callee(parsed.name)
    values = tuple(map(example_of, parsed.types))
    config = RuleConfig[HasReverseMode, HasForwardsMode]()
    calls = {"rrule": (config, f, *values), "frule": (config, (NoTangent(),) * (1 + len(values)), f, *values)}
    rules = {"rrule": rrule, "frule": frule}
    texts = {mode: rules[mode].explain(*call) for mode, call in calls.items()}
    data = {
        "primal": dotted_name(f),
        "types": parsed.types,
        "modes": {mode: {**_chosen(rules[mode], calls[mode]), "text": texts[mode]} for mode in texts},
    }
    sections = [Section("", (), [(line,) for line in text.splitlines()]) for text in texts.values()]
    return Answer(data, sections, _what_becomes_of(f))


def _what_becomes_of(f: Any) -> list[str]:
    """Of a function without rules, a sentence about its calls, if they were tried."""
    owner, _, name = dotted_name(f).rpartition(".")
    tried = read_followed().get(owner, {}).get(name)
    return [] if tried is None else [f"Tried by {tried.because}. {tried.says}: {MEANINGS[tried.says]}."]


def _callee(name: str) -> Any:
    known = {dotted_name(f) for rules in (frule, rrule) for f in rules_by_callee(rules)}
    f = object_named(name, tuple(known))
    if not callable(f):
        those = f" `coverage {name}` lists its functions." if isinstance(f, types.ModuleType) else ""
        raise NothingFoundError(f"{name!r} is a {type(f).__name__}, which is not called.{those}")
    return f


def _chosen(rules: Any, call: tuple[Any, ...]) -> dict[str, Any]:
    """The rule that serves a call, for JSON; nothing where there is none, or where several tie."""
    try:
        method = rules.find(*call)
    except plum.AmbiguousLookupError:
        return {"says": "ambiguous", "rule": None}
    if method is None:
        return {"says": "none", "rule": None}
    return {"says": word_for([method]), "rule": {"name": method.name, "location": method.location}}
