"""Rules for the zeta functions, and for numbers that are values of theirs.

``∂ζ(x, q)/∂q = -x ζ(x + 1, q)``: https://dlmf.nist.gov/25.11.E17. By the exponent x there is no formula in
SciPy's functions: see `chainrules.operations.zeta`.
"""

from typing import Any

from scipy.special import bernoulli, euler, zeta, zetac

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.operations.zeta import zeta_derivative
from chainrules_core import non_differentiable, primitive, scalar_rule

_zeta = primitive(zeta)


def _by_x(y: Any, x: Any, q: Any = None) -> Any:
    return zeta_derivative(1, x, 1.0 if q is None else q)


lazy_scalar_rule(zeta, _by_x, lambda y, x, q: -x * _zeta(x + 1.0, q), orders=(0,))
scalar_rule(zetac, lambda y, x: zeta_derivative(1, x, 1.0))

non_differentiable(bernoulli)
non_differentiable(euler)
