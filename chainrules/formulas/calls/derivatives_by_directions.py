"""Derivatives of a function that a rule was given, as functions which AD can differentiate again."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, frule_via_ad, primal_of


def derivative_along(config: Any, direction: Callable[[Any], Any]) -> Callable[..., Any]:
    """The function of ``x, f, *args`` that gives the derivative of ``f(x, *args)`` in a direction of `x`."""

    def derivative(x: Any, f: Any, *args: Any) -> Any:
        dots = (NO_TANGENT, direction(primal_of(x)), *(NO_TANGENT for _ in args))
        y, y_dot = frule_via_ad(config, dots, f, x, *args)
        return y_dot + np.zeros(np.shape(primal_of(y)))

    return derivative


def unit(x: Any, place: int) -> Any:
    """The unit of one row of `x`."""
    row = np.zeros(np.shape(x))
    row[place] = 1.0
    return row


def jacobian_of(config: Any, n: int) -> Callable[..., Any]:
    """The function of ``x, f, *args`` that gives the Jacobian by the `n` rows of `x`.

    Their axis stands before those that `x` has beside its first one.
    """
    along = [derivative_along(config, partial(unit, place=place)) for place in range(n)]

    def jacobian(x: Any, f: Any, *args: Any) -> Any:
        columns = [derivative(x, f, *args) for derivative in along]
        return np.stack(columns, axis=np.ndim(columns[0]) - np.ndim(x) + 1)

    return jacobian


def hessian_of(config: Any, n: int) -> Callable[..., Any]:
    """The function of ``x, f, *args`` that gives the Hessian by the `n` rows of `x`."""
    jacobian = jacobian_of(config, n)

    def hessian(x: Any, f: Any, *args: Any) -> Any:
        return jacobian(x, lambda x: jacobian(x, f, *args))

    return hessian
