"""Partial derivatives of formulas: of compositions of elementwise functions that have rules.

A formula is written once, as its equation, and each of its partial derivatives is the tangent of it along
one argument. R. E. Wengert, "A simple automatic derivative evaluation program", Communications of the ACM
7 (1964).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.calls.compositions import push_composition
from chainrules_core import NO_TANGENT, AbstractZero, primal_of

Formula = Callable[..., Any]


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
        dots: list[Any] = [NO_TANGENT] * len(args)
        dots[place] = np.ones_like(primal_of(args[place]), dtype=float)
        y_dot = push_composition(formula, args, dots)
        if isinstance(y_dot, AbstractZero):
            return np.zeros(np.broadcast_shapes(*(np.shape(primal_of(x)) for x in args)))[()]
        return y_dot

    return derivative
