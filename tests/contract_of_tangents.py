"""The contract of tangents, watched: what every rule, and every pullback of one, is given.

A rule is given tangents that are computed and not all zero, whoever calls it: see
`docs/rule_author/writing_good_rules.md`. While `watched` lasts, each registered rule notes where that fails.
"""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from chainrules_core import (
    AbstractThunk,
    AbstractZero,
    NonDifferentiablePullback,
    StructuralTangent,
    frule,
    rrule,
)


class Watch:
    """The breaches of the contract, and the number of tangents that were looked at."""

    def __init__(self) -> None:
        self.breaches: list[str] = []
        self.number = 0

    def look(self, method: Any, tangents: tuple[Any, ...]) -> None:
        """Note what is wrong with what a rule is given, or its pullback."""
        self.number += 1
        kinds = [describe(tangent) for tangent in tangents]
        if any("thunk" in kind for kind in kinds) or all(kind == "zero" for kind in kinds):
            self.breaches.append(f"{method.name} ({method.location}) was given {', '.join(kinds)}")


def describe(tangent: Any) -> str:
    """Whether a tangent is a thunk, holds one, is zero, or is none of these."""
    if isinstance(tangent, AbstractThunk):
        return "a thunk"
    if isinstance(tangent, AbstractZero):
        return "zero"
    return "a thunk inside" if _holds_thunk(tangent) else type(tangent).__name__


def _holds_thunk(tangent: Any) -> bool:
    if isinstance(tangent, StructuralTangent):
        return any(map(_holds_thunk, tangent.__tangent_vectors__()))
    return isinstance(tangent, AbstractThunk)


def _watching(watch: Watch, method: Any) -> Any:
    """A rule that does what a rule does, and notes what it is given."""
    rule = method.function
    leading = int(method.config is not None)

    @functools.wraps(rule)
    def pushing(*args: Any, **kwargs: Any) -> Any:
        watch.look(method, args[leading])
        return rule(*args, **kwargs)

    @functools.wraps(rule)
    def pulling(*args: Any, **kwargs: Any) -> Any:
        answer = rule(*args, **kwargs)
        if type(answer) is not tuple or len(answer) != 2:
            return answer
        y, pullback = answer
        if isinstance(pullback, NonDifferentiablePullback) or not callable(pullback):
            return answer

        @functools.wraps(pullback)
        def watched_pullback(*cotangents: Any) -> Any:
            watch.look(method, cotangents)
            return pullback(*cotangents)

        return y, watched_pullback

    return pushing if method.mode == "frule" else pulling


@contextlib.contextmanager
def watched() -> Iterator[Watch]:
    """Let each rule note what it is given, until the block ends."""
    watch = Watch()
    methods = [*frule.methods(), *rrule.methods()]
    rules = [method.function for method in methods]
    _put(methods, [method.function if method.opts_out else _watching(watch, method) for method in methods])
    try:
        yield watch
    finally:
        _put(methods, rules)


def _put(methods: list[Any], functions: list[Any]) -> None:
    for method, function in zip(methods, functions, strict=True):
        method.function = function
        method.__dict__.pop("looked_at", None)
    for rules in (frule, rrule):
        rules.answers.forget_all()
