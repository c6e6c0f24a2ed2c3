"""Advice for calls of the testers whose arguments stand in a wrong place, or are another library's."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from chainrules_core import describe_callee, frule, rrule
from chainrules_testutils.advice.report import short

# The options of gradient checkers in other libraries, and what to write instead.
_OF_OTHER_LIBRARIES = {
    "modes": "`test_rrule` checks reverse mode, `test_frule` forward mode, `test_scalar` both",
    "check_forward_ad": "`test_rrule` checks reverse mode, `test_frule` forward mode",
    "check_backward_ad": "`test_rrule` checks reverse mode, `test_frule` forward mode",
    "check_inferred": "types are not inferred in Python: leave it out",
    "check_batched_grad": "rules are not batched here: leave it out",
    "eps": "the step of the differences is found by itself; `fdm=` takes another method",
    "tol": "tolerances are `rtol=` and `atol=`",
    "nondet_tol": "two calls with equal arguments may differ by `rtol=` and `atol=`",
    "raise_exception": "a wrong rule raises `RuleTestError`, whose `report` lists all checks",
}


def refuse_unknown(tester: str, unknown: Mapping[str, Any]) -> None:
    """Refuse keyword arguments that are no option of a tester.

    Raises
    ------
    TypeError
        If there are any; it says where they belong.
    """
    for name, value in unknown.items():
        keyword = f'if it is a keyword of the function, write fkwargs={{"{name}": {short(value)}}}'
        advice = _OF_OTHER_LIBRARIES.get(name, keyword)
        raise TypeError(f"{tester}: `{name}` is none of its options: {advice}.")


def refuse_misplaced(tester: str, f: Any, fkwargs: Any) -> None:
    """Refuse a function that cannot be called, and keyword arguments that are not in a dict.

    Raises
    ------
    TypeError
        Saying what to write.
    """
    if not callable(f):
        raise TypeError(
            f"{tester}(f, *args): f is a function, not {short(f)}. Write `{tester}(f, x)` without calling f."
        )
    if f is rrule or f is frule:
        raise TypeError(
            f"{tester}(f, *args): the rule for f is looked up. Write `{tester}(f, x)`, without "
            f"`{f.mode.name}`."
        )
    if not isinstance(fkwargs, Mapping):
        raise TypeError(
            f'{tester}: fkwargs is a dict of the function\'s keyword arguments, as {{"axis": 0}}, not '
            f"{short(fkwargs)}."
        )


def notes(tester: str, f: Any, args: tuple[Any, ...], fkwargs: Mapping[str, Any]) -> Iterator[str]:
    """Notes for a `TypeError` of the function: which argument of the tester may stand in a wrong place."""
    name = describe_callee(f)
    if note := rule_note(tester, f):
        yield note
        return
    if not args:
        yield f"The arguments go into the same call: `{tester}({name}, x)`."
        return
    if binds(f, args, fkwargs):
        if isinstance(args[0], tuple):
            yield f"Argument 1 is a tuple. To pass its items as arguments write `{tester}({name}, *args)`."
        return
    if isinstance(args[0], tuple | list) and binds(f, args[0], fkwargs):
        yield f"The arguments are not in a tuple: write `{tester}({name}, *args)`."
    for parameter in _keyword_only(f):
        yield f'`{parameter}` is keyword-only: write `{tester}(..., fkwargs={{"{parameter}": ...}})`.'
    yield (
        f"{tester} passes each positional argument on to {name}: tolerances are `rtol=`, `atol=`, the order "
        "is `order=`, and an argument with its tangent is `PrimalAndTangent(x, x_dot)`."
    )


def rule_note(tester: str, f: Any) -> str | None:
    """A note that a rule was given in the place of its function; `None` if `f` is no rule."""
    for rules in (rrule, frule):
        for method in rules.methods():
            if method.function is f:
                return (
                    f"{method.name} ({method.location}) is itself a rule: give the function that it is for, "
                    f"`{tester}(f, x)`."
                )
    return None


def binds(f: Any, args: Any, kwargs: Mapping[str, Any]) -> bool:
    """Whether `f` can be called with these arguments, as far as its signature says."""
    try:
        inspect.signature(f).bind(*args, **kwargs)
    except TypeError:
        return False
    except ValueError:  # it has no signature
        return True
    return True


def _keyword_only(f: Any) -> list[str]:
    return [p.name for p in inspect.signature(f).parameters.values() if p.kind is p.KEYWORD_ONLY]


def call_text(f: Any, count: int) -> str:
    """A call of `f` as users write it, ``softplus(x)``, with the names of parameters where known."""
    try:
        names = [p.name for p in inspect.signature(f).parameters.values() if p.kind is not p.VAR_POSITIONAL]
    except (TypeError, ValueError):
        names = []
    shown = ", ".join(names[:count]) if len(names) >= count else "..."
    return f"{describe_callee(f).rpartition('.')[2]}({shown})"
