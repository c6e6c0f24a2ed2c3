"""`grad` and `value_and_grad`: gradients of functions with one real result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Never

import numpy as np

from chainrules.ad.derivatives.checks import (
    check_argument,
    check_made,
    check_pair,
    check_result,
    checked_places,
)
from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.modes.natural_gradients import Owned, natural_gradient
from chainrules.ad.modes.nodes import input_node, propagate
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.hiding import check_nothing_hidden
from chainrules.ad.traced.instances import as_before
from chainrules.ad.traced.tracing import traced, untraced
from chainrules_core.speed import value_for_dispatch

_ONE = np.float64(1)


def grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **unknown: Never
) -> Callable[..., Any]:
    """The gradient of a function, as a function of the same arguments.

    Parameters
    ----------
    f
        A function with one real number as its result. Its arguments may be numbers, arrays, and nested
        tuples, lists, dicts, dataclasses and instances of ordinary classes that hold them. Keyword arguments
        are passed on and not differentiated.
    argnums
        The position of the argument to differentiate by, from the end if it is negative; a tuple for several.
    has_aux
        Whether `f` returns a pair of the number to differentiate and anything else; then the result is
        ``(gradient, anything)``.

    Returns
    -------
    function
        Its result is the gradient, in the shape and precision of the argument; for a tuple of `argnums` a
        tuple. By a dict, list or tuple the gradient is one too, by another object it is a `Tangent`. By a
        complex argument ``z = x + iy`` it is ``∂f/∂x + i ∂f/∂y``, the direction of steepest ascent. Its
        arrays belong to the caller.

    Raises
    ------
    TypeError
        When called: if an argument cannot be differentiated by (an integer, a string), or the result is not
        one real number; or what is returned beside it holds traced values where nobody looks for them, such
        as a deque.
    RuleNotFoundError
        When called: if a function that the program calls has no rule.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import grad
    >>> grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    if argnums.__class__ is not int or unknown or not callable(f):
        check_made("grad", f, argnums, unknown)
    return Gradient(f, argnums, has_aux)


@dataclass(eq=False, repr=False)
class Gradient(Derived):
    """The function that `grad` returns."""

    argnums: int | Sequence[int]
    has_aux: bool

    unnamed = "gradient"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and differentiate the call."""
        value, gradient = _value_and_gradient(self.f, self.argnums, self.has_aux, args, kwargs)
        return (gradient, value[1]) if self.has_aux else gradient


def value_and_grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **unknown: Never
) -> Callable[..., Any]:
    """Like `grad`, with the function's value: a function that returns ``(value, gradient)``.

    Parameters
    ----------
    f, argnums
        As for `grad`.
    has_aux
        Whether `f` returns a pair of the value to differentiate and anything else; then the result is
        ``((value, anything), gradient)``.

    Raises
    ------
    TypeError, RuleNotFoundError
        As for `grad`.

    Examples
    --------
    >>> from chainrules.ad import value_and_grad
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    if argnums.__class__ is not int or unknown or not callable(f):
        check_made("value_and_grad", f, argnums, unknown)
    return ValueAndGradient(f, argnums, has_aux)


@dataclass(eq=False, repr=False)
class ValueAndGradient(Derived):
    """The function that `value_and_grad` returns."""

    argnums: int | Sequence[int]
    has_aux: bool

    unnamed = "value_and_gradient"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and differentiate the call."""
        return _value_and_gradient(self.f, self.argnums, self.has_aux, args, kwargs)


def _value_and_gradient(
    f: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, Any]:
    places = checked_places(f, argnums, len(args))
    trace = ReverseTrace()
    inputs, nodes = list(args), []
    for place in places:
        inputs[place], nodes_of_x = traced(args[place], trace, input_node)
        if nodes_of_x.__class__ is not tuple:  # it is no number or array that could be moved
            check_argument(f, args[place], place)
        nodes.append((place, nodes_of_x))
    y = trace.run(choose(f), inputs, kwargs)
    del inputs
    aux = None
    if has_aux:
        check_pair(f, y)
        y, aux = y
        check_nothing_hidden(aux, trace)
    value, traced_parts = untraced(y, trace)
    check_result(f, value)
    # Nothing here holds the record any more, so that it is freed while cotangents pass through it.
    del y
    cotangents = propagate([(traced_parts.pop()[1], _one_like(value))] if traced_parts else [])
    owned = Owned()
    if trace.changed:
        args = tuple(as_before(x, trace) for x in args)
    gradients = [natural_gradient(args[place], nodes_of_x, cotangents, owned) for place, nodes_of_x in nodes]
    gradient = tuple(gradients) if isinstance(argnums, (tuple, list)) else gradients[0]
    return ((value, untraced(aux, trace)[0]) if has_aux else value), gradient


def _one_like(y: Any) -> Any:
    """The cotangent of the result, in its precision."""
    if y.__class__ is float:
        return 1.0
    if y.__class__ is np.float64:
        return _ONE
    y = value_for_dispatch(y)
    return type(y)(1) if isinstance(y, float | np.floating) else np.ones_like(y)
