"""Partial derivatives of formulas: of compositions of elementwise functions that have rules.

A formula is written once, as its equation, and run with numbers that move: pairs of a value and a tangent,
which the forward rules of the functions carry on. E. R. Wengert, "A simple automatic derivative evaluation
program", Communications of the ACM 7 (1964).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, AbstractZero, frule, primal_of

Formula = Callable[..., Any]


class Moving(np.lib.mixins.NDArrayOperatorsMixin):
    """A value with its tangent, on its way through a formula. Both may be traced by an AD system.

    Attributes
    ----------
    value
        A number or an array.
    dot
        Its tangent.
    """

    __slots__ = ("dot", "value")

    def __init__(self, value: Any, dot: Any = NO_TANGENT) -> None:
        self.value, self.dot = value, dot

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Call a function elementwise; one without a rule, like a comparison, says what is constant."""
        if method != "__call__" or options:
            return NotImplemented
        return _moved(ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Choose among values, as `numpy.where` does."""
        return NotImplemented if kwargs else _moved(function, args)


def _moved(function: Any, args: Any) -> Any:
    values = [arg.value if isinstance(arg, Moving) else arg for arg in args]
    dots = [arg.dot if isinstance(arg, Moving) else NO_TANGENT for arg in args]
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return Moving(function(*values))
    if function in _CONDITIONS:
        return function(*map(primal_of, values))
    result = frule((NO_TANGENT, *dots), function, *values)
    if result is None:
        raise TypeError(f"A formula calls {function!r}, which has no forward rule.")
    return Moving(*result)


_CONDITIONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal}


def partial_derivative(formula: Formula, place: int) -> Formula:
    """The derivative of a formula by the argument at a place, as a function of the same arguments.

    Parameters
    ----------
    formula
        A function of numbers and arrays that broadcast, made of universal functions with rules and of
        `numpy.where`, whose condition is a comparison.
    place
        The number of the argument, from 0.
    """

    def derivative(*args: Any) -> Any:
        moving = [Moving(x) for x in args]
        moving[place].dot = np.ones_like(primal_of(args[place]), dtype=float)
        y = formula(*moving)
        if not isinstance(y, Moving) or isinstance(y.dot, AbstractZero):
            return np.zeros(np.broadcast_shapes(*(np.shape(primal_of(x)) for x in args)))[()]
        return y.dot

    return derivative
