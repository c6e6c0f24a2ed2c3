"""Looking up the rule of a call with traced values, and the error if there is none."""

import types
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_answers import wrong_answer
from chainrules.ad.traced.trace import OPTED_OUT, Trace
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.config import CONFIG, ADConfig
from chainrules.ad.values.facts import fact_of
from chainrules.ad.values.memory import remembered
from chainrules_core import RuleNotFoundError
from chainrules_core.speed import takes_keywords, value_for_dispatch

# A call of one of these with a traced value comes back to the engine, so that its body cannot be traced.
_INTERCEPTED = (np.ufunc, types.BuiltinFunctionType, type(np.sum))


def carried_class(x: Any) -> Any:
    """The class of a value under all its traces: rules serve carriers like the values that they carry."""
    cls = x.__class__
    while cls in TRACED:
        x = x._value
        cls = x.__class__
    return cls


def remembered_rule(rules: Any, f: Any, values: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """The rule that served a call with arguments of these types before, if it takes no configuration.

    Values that stand for others, and carry none themselves, are served as these. A rule that has no parameter
    for a keyword is none: another one may take it by position.
    """
    try:
        rule = rules.remembered((ADConfig, f, *[type(value_for_dispatch(x)) for x in values]))
    except TypeError:  # `f` is not hashable
        return None
    return None if kwargs and rule is not None and not _takes((rule, *kwargs)) else rule


@remembered
def _takes(asked: tuple[Any, ...]) -> bool:
    return takes_keywords(asked[0], asked[1:])


def without_pair(  # noqa: PLR0913, PLR0917 - all that a call is made of
    trace: Trace,
    rules: Any,
    f: Any,
    args: tuple[Any, ...],
    answer: Any,
    kwargs: dict[str, Any] | None,
    has_body: bool,
) -> Any:
    """`OPTED_OUT`, for a call without a rule whose function can be traced instead.

    Parameters
    ----------
    trace
        The differentiation.
    rules
        `rrule` or `frule`.
    f
        The function.
    args, kwargs
        The arguments of `rules`, without a configuration, and those by keyword.
    answer
        What the rule answered in the place of a pair: `None` if there is none.
    has_body
        Whether whoever asks can call something else.

    Raises
    ------
    RuleNotFoundError
        If there is simply no rule.
    TypeError
        If a rule answered something else.
    numpy.linalg.LinAlgError
        If there is no rule since NumPy takes no such arguments.
    """
    if answer is not None:
        raise wrong_answer(rules, args, answer)
    if has_body:
        return OPTED_OUT
    kwargs = kwargs or {}
    if rules.opted_out(CONFIG, *args, **kwargs) and not isinstance(f, _INTERCEPTED):
        return OPTED_OUT
    if getattr(f, "__module__", None) == "numpy.linalg":
        # NumPy may refuse these arguments itself, as `inv` does a number: programs catch that error.
        f(*args[args.index(f) + 1 :], **kwargs)
    raise trace.refuse(RuleNotFoundError(rules.why_none(CONFIG, *args, **kwargs) + _advice(f)))


def _advice(f: Any) -> str:
    # The Python function cannot be had back from the ufunc that NumPy makes of it.
    is_of_python = isinstance(f, np.ufunc) and f.__name__.endswith(" (vectorized)")
    if (refused := fact_of(f).refused) is not None:
        return f"\n{refused}"
    return "\nFor a Python function write `np.vectorize` in place of `np.frompyfunc`." if is_of_python else ""
