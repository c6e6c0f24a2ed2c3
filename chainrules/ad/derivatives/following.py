"""Rules of functions and classes that have none but by their code, for AD systems that cannot look into it.

The engine follows calls into the code of SciPy, and knows the functions in C that this calls. For anybody
else a call of a public name is one operation, whose rules run the engine. The tangent of an object has those
of its attributes. The engine does not ask for these rules: it knows the names.
"""

import functools
import operator
from typing import Any

from chainrules.ad.derivatives.pulling import trace_call
from chainrules.ad.derivatives.pushing import push_call
from chainrules.ad.traced.tracing import is_traced
from chainrules.values.followed_functions import followed_in
from chainrules_core import RuleNotFoundError, contains_carrier, describe_callee, frule, rrule, typeof_


def follow(module: str) -> None:
    """Register the rules of the public names of a module that are followed."""
    names = list(followed_in(module))
    for f in names:
        _follow_calls(typeof_(f))
    classes = [f for f in names if isinstance(f, type)]
    if classes:
        instance = functools.reduce(operator.or_, classes)
        _follow_calls(instance)
        _follow_attributes(instance)


def _follow_calls(followed: Any) -> None:
    """Register the rules of calls of a function or class, or of the instances of classes."""

    @frule.dispatch
    def followed_frule(tangents: Any, f: followed, *args: Any, **named: Any) -> Any:
        """Push a call forwards through its code."""
        _refuse_values_of_others(f, (tangents, args, named))
        return push_call(tangents, f, args, named)

    @rrule.dispatch
    def followed_rrule(f: followed, *args: Any, **named: Any) -> Any:
        """Pull a call backwards through its code."""
        _refuse_values_of_others(f, (args, named))
        return trace_call(f, args, named)


def _follow_attributes(instance: Any) -> None:
    """Register the rules of attributes of instances, which may be properties."""

    @frule.dispatch
    def followed_getattr_frule(tangents: Any, f: typeof_(getattr), x: instance, name: str) -> Any:
        """Push an attribute."""
        _refuse_values_of_others(f, (tangents, x))
        return push_call(tangents, f, (x, name), {})

    @rrule.dispatch
    def followed_getattr_rrule(f: typeof_(getattr), x: instance, name: str) -> Any:
        """Pull an attribute."""
        _refuse_values_of_others(f, x)
        return trace_call(f, (x, name), {})


def _refuse_values_of_others(f: Any, values: Any) -> None:
    """Raise if another AD system differentiates a rule: its values would be constants, in silence.

    Raises
    ------
    RuleNotFoundError
        If `values` hold one of its traced values.
    """
    if contains_carrier(values) and not is_traced(values):
        raise RuleNotFoundError(
            f"The rule of {describe_callee(f)} follows its code, and cannot follow values of another AD "
            "system there, as in a derivative of a derivative. Take derivatives of higher order by "
            "`chainrules.ad`, such as `hessian`, or through a bridge."
        )
