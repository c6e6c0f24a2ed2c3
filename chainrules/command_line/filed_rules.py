"""The rules by the callee under which they are filed, and words for their answers."""

import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import plum

from chainrules_core import RuleMethod, RulesetImportWarning, describe_hint


def rules_by_callee(rules: Any) -> Mapping[Any, list[RuleMethod]]:
    """All rules of a mode by the function or class that they name, as constructor or by its instances.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    """
    filed = defaultdict(list)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RulesetImportWarning)  # `doctor` says which are broken
        for method in rules.methods():
            for callee in callees_of(method):
                filed[callee].append(method)
    return filed


def callees_of(method: RuleMethod) -> Iterator[Any]:
    """The functions and classes that the callee parameter of a rule names."""
    return (member.type_parameter for member in method.members)


def is_for_instances(method: RuleMethod) -> bool:
    """Whether a rule is for calls of the instances of a class, such as of a `functools.partial`."""
    return not describe_hint(method.members[0].resolve()).startswith(("typeof_(", "type["))


def arguments_of(method: RuleMethod) -> str:
    """The types of the arguments that a rule is for, as text: ``Any, AbstractArray``."""
    types = list(map(describe_hint, method.hints[method.hints.index(method.callee) + 1 :]))
    if method.varargs is not plum.Missing:
        types.append(f"*{describe_hint(method.varargs)}")
    return ", ".join(types)


def word_for(methods: Iterable[RuleMethod]) -> str:
    """The word for rules together: a derivative, ``zero`` because there is none, an error, or nothing.

    Returns
    -------
    str
        ``rule``, ``follows``, ``zero``, ``refused``, ``opted out`` or ``none``.
    """
    words = set(map(_word_for_one, methods))
    return next(
        (word for word in ("rule", "follows", "refused", "zero", "opted out") if word in words), "none"
    )


def _word_for_one(method: RuleMethod) -> str:
    if method.opts_out:
        return "opted out"
    if method.name.startswith("refusing"):
        return "refused"
    if method.name.startswith("followed"):
        return "follows"
    return "zero" if method.name.startswith("_non_differentiable") else "rule"
