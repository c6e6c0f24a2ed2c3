"""`ignore_derivatives`: a part of a program that no derivative passes through."""

import functools
import inspect
import types
from typing import Any

from chainrules_core.backends import backend_of
from chainrules_core.carriers.hiding import hiding_place
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

    Raises
    ------
    TypeError
        If it holds carriers where nobody looks for them, such as a deque or the attributes of an object:
        they would keep their derivatives.

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
    y = x() if _stands_for_function(x) and _needs_no_arguments(x) else x
    _refuse_hidden_carriers(y)
    return y


non_differentiable(ignore_derivatives)


def _refuse_hidden_carriers(y: Any) -> None:
    place = hiding_place(y, _is_carrier, beside_fields=True)
    if place is not None:
        raise TypeError(
            f"A traced value is held by {place}, where `ignore_derivatives` (`stop_gradient`) does not look, "
            "so that its derivative would not be stopped. Give it the values themselves, or a tuple, list, "
            "dict or dataclass of them."
        )


def _is_carrier(x: Any) -> bool:
    return backend_of(type(x)) is not None


def _stands_for_function(x: Any) -> bool:
    """Whether `x` is a function, or an object that `functools.wraps` or its likes put in the place of one."""
    return isinstance(x, _FUNCTIONS) or (
        "__wrapped__" in getattr(x, "__dict__", ()) and callable(x) and _stands_for_function(x.__wrapped__)
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
