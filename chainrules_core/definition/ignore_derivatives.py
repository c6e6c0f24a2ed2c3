"""`ignore_derivatives`: a part of a program that no derivative passes through."""

import functools
import inspect
import types
from typing import Any

from chainrules_core.carriers.primitive import primitive
from chainrules_core.definition.non_differentiable import non_differentiable

# Instances with a `__call__` are values here: an AD system differentiates them by their fields.
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial)


@primitive
def ignore_derivatives(x: Any) -> Any:
    """Compute, or pass on, something as a constant: AD systems treat its derivative as `NoTangent`.

    Parameters
    ----------
    x
        A function that can be called without arguments, which is called; or any other value. An instance
        that happens to be callable is a value: write ``ignore_derivatives(lambda: x())`` to call it.

    Returns
    -------
    object
        What the function returns, or `x` itself.

    Examples
    --------
    >>> from chainrules_core import ignore_derivatives
    >>> calls = []
    >>> def loss(x):
    ...     ignore_derivatives(lambda: calls.append(x))
    ...     return x**2
    >>> loss(3.0), calls
    (9.0, [3.0])
    """
    return x() if _is_function(x) and _needs_no_arguments(x) else x


non_differentiable(ignore_derivatives)


def _is_function(x: Any) -> bool:
    """Whether `x` is a function, or an object that `functools.wraps` or its likes put in the place of one."""
    return isinstance(x, _FUNCTIONS) or (
        "__wrapped__" in getattr(x, "__dict__", ()) and callable(x) and _is_function(x.__wrapped__)
    )


def _needs_no_arguments(function: Any) -> bool:
    try:
        signature = inspect.signature(function)
    except ValueError:
        return True  # a builtin that does not tell (`time.time`); if it does need arguments it will say so
    try:
        signature.bind()
    except TypeError:
        return False
    return True
