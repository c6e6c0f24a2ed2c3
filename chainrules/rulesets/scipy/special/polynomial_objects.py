"""Rules for SciPy's objects of orthogonal polynomials, and for the functions that make them.

An object that is called with x computes ``y = k Π (x - rᵢ)``, whose derivative ``k Σᵢ Π_{j≠i} (x - rⱼ)`` is
summed from the roots: the coefficients lose all digits at degrees above 20. By the parameters of a family the
functions `eval_jacobi` and its like have derivatives; objects hold numbers that have none.
"""

from typing import Any

import numpy as np
from scipy.special import (
    chebyc,
    chebys,
    chebyt,
    chebyu,
    gegenbauer,
    genlaguerre,
    hermite,
    hermitenorm,
    jacobi,
    laguerre,
    legendre,
    sh_chebyt,
    sh_chebyu,
    sh_jacobi,
    sh_legendre,
)

# The public name of the class is deprecated.
from scipy.special._orthogonal import orthopoly1d

from chainrules.makers.separate_partials import separate_partials_rule
from chainrules.values.operands import Operand
from chainrules_core import (
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    non_differentiable,
    not_implemented,
    pull_partial,
    rrule,
    strong_product,
    sum_tangents,
    unthunk,
)

_COEFFICIENTS = not_implemented(
    "the polynomials that SciPy makes hold numbers: for derivatives by the parameters of a family write "
    "`eval_jacobi` or its like, and by coefficients `np.polyval`"
)

non_differentiable(chebyc)
non_differentiable(chebys)
non_differentiable(chebyt)
non_differentiable(chebyu)
non_differentiable(hermite)
non_differentiable(hermitenorm)
non_differentiable(laguerre)
non_differentiable(legendre)
non_differentiable(sh_chebyt)
non_differentiable(sh_chebyu)
non_differentiable(sh_legendre)


def _by_parameter(y: Any, *_: Any, **__: Any) -> Any:
    return _COEFFICIENTS


separate_partials_rule(gegenbauer, _by_parameter, _by_parameter, orders=(0,))
separate_partials_rule(genlaguerre, _by_parameter, _by_parameter, orders=(0,))
separate_partials_rule(jacobi, _by_parameter, _by_parameter, _by_parameter, orders=(0,))
separate_partials_rule(sh_jacobi, _by_parameter, _by_parameter, _by_parameter, orders=(0,))


@frule.dispatch
def orthopoly1d_frule(tangents: Any, p: orthopoly1d, x: Operand):
    p_dot, x_dot = map(unthunk, tangents)
    y = p(x)
    if not isinstance(p_dot, AbstractZero):
        return y, _COEFFICIENTS
    if isinstance(x_dot, AbstractZero):
        return y, x_dot
    return y, ProjectTo(y)(sum_tangents(y, [strong_product(_slope(p, x), x_dot)]))


@rrule.dispatch
def orthopoly1d_rrule(p: orthopoly1d, x: Operand):
    def polynomial_pullback(y_bar):
        return _COEFFICIENTS, Thunk(lambda: pull_partial(x, _slope(p, x), unthunk(y_bar)))

    return p(x), polynomial_pullback


def _slope(p: Any, x: Any) -> Any:
    roots = np.reshape(p.weights, (-1, 3))[:, 0]
    slope, product = 0.0 * x, 1.0
    for root in roots:
        slope, product = slope * (x - root) + product, product * (x - root)
    return p.coeffs[0] * slope
