"""`call`: a rule is asked for in so many words."""

import types
from typing import Any

from chainrules.ad.calls.calling import apply, is_statement
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import is_intercepting
from chainrules.ad.traced.trace import forgive
from chainrules.ad.values.facts import fact_of
from chainrules_core import RuleNotFoundError, unwrap_primitive


def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function by its rule, where calls are not intercepted: see `interception`.

    Without traced arguments it just calls `f`. A function that is marked by `chainrules_core.primitive` is
    called by its rule without this help.

    Raises
    ------
    RuleNotFoundError
        If an argument is traced, and `f` has no rule and no body in Python.

    Examples
    --------
    >>> import operator
    >>> from chainrules.ad import call, grad
    >>> grad(lambda x: call(operator.mul, x, x))(3.0)
    6.0
    """
    f = unwrap_primitive(f)
    if is_statement(f, args):
        return f(*args)
    if _has_body(f) and is_intercepting():
        return choose(f)(*args, **kwargs)
    try:
        return apply(f, args, kwargs)
    except RuleNotFoundError as missing:
        forgive(missing)  # whoever asks for a rule may try something else without one
        raise


def _has_body(f: Any) -> bool:
    """Whether the calls that a callable makes could be intercepted."""
    if isinstance(f, type):
        methods = getattr(f, "__new__", None), getattr(f, "__init__", None)
        return any(isinstance(method, types.FunctionType) for method in methods)
    method = getattr(type(f), "__call__", None)  # noqa: B004 - the function itself, which may be Python's
    is_of_python = isinstance(f, types.FunctionType | types.MethodType)
    return is_of_python or fact_of(type(f)).of_instances is not None or isinstance(method, types.FunctionType)
