"""Rules for calls of SciPy's objects of orthogonal polynomials, such as `scipy.special.legendre` makes.

``y = k Π (x - rᵢ)`` has the derivative ``k Σᵢ Π_{j≠i} (x - rⱼ)``, which is summed from the roots: the
coefficients lose all digits at degrees above 20.
"""

from typing import Any

import numpy as np

# The public name of the class is deprecated.
from scipy.special._orthogonal import orthopoly1d

from chainrules.values.operands import Operand
from chainrules_core import (
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    not_implemented,
    pull_partial,
    rrule,
    strong_product,
    sum_tangents,
)

_COEFFICIENTS = not_implemented(
    "the polynomials that SciPy makes hold numbers: for derivatives by the parameters of a family write "
    "`eval_jacobi` or its like, and by coefficients `np.polyval`"
)


@frule.dispatch
def orthopoly1d_frule(tangents: Any, p: orthopoly1d, x: Operand):
    p_dot, x_dot = tangents
    y = p(x)
    if not isinstance(p_dot, AbstractZero):
        return y, _COEFFICIENTS
    if isinstance(x_dot, AbstractZero):
        return y, x_dot
    return y, ProjectTo(y)(sum_tangents(y, [strong_product(_slope(p, x), x_dot)]))


@rrule.dispatch
def orthopoly1d_rrule(p: orthopoly1d, x: Operand):
    def polynomial_pullback(y_bar):
        return _COEFFICIENTS, Thunk(lambda: pull_partial(x, _slope(p, x), y_bar))

    return p(x), polynomial_pullback


def _slope(p: Any, x: Any) -> Any:
    roots = np.reshape(p.weights, (-1, 3))[:, 0]
    slope, product = 0.0 * x, 1.0
    for root in roots:
        slope, product = slope * (x - root) + product, product * (x - root)
    return p.coeffs[0] * slope
