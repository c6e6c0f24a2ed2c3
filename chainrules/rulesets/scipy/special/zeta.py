"""Rules for the zeta functions, and for numbers that are values of theirs.

``∂ζ(x, q)/∂q = -x ζ(x + 1, q)``: https://dlmf.nist.gov/25.11.E17. By the exponent x there is no formula in
SciPy's functions: see `chainrules.operations.zeta`.
"""

from typing import Any

from scipy.special import bernoulli, euler, zeta, zetac

from chainrules.makers.separate_partials import separate_partials_rule
from chainrules.operations.zeta import zeta_derivative
from chainrules_core import NO_TANGENT, non_differentiable, primitive, scalar_rule

_zeta = primitive(zeta)


def _by_x(y: Any, x: Any, q: Any = None) -> Any:
    return zeta_derivative(1, x, 1.0 if q is None else q)


def _by_q(y: Any, x: Any, q: Any) -> Any:
    return NO_TANGENT if q is None else -x * _zeta(x + 1.0, q)


separate_partials_rule(zeta, _by_x, _by_q, orders=(0,))
scalar_rule(zetac, lambda y, x: zeta_derivative(1, x, 1.0))

non_differentiable(bernoulli)
non_differentiable(euler)
