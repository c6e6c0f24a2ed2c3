"""Rules for convenience functions.

``xlogy(x, y) = x log y`` has the derivatives ``log y`` and ``x / y``, both given as 0 where both arguments
are 0, as the function is; the same of ``xlog1py`` at ``(0, -1)``. Angles in degrees bring a factor π/180.
`numpy.sinc`, which SciPy hands on, has its rules with NumPy.
"""

from math import log, pi

import numpy as np
from scipy import special

from chainrules.formulas.numbers import powers
from chainrules.formulas.numbers.precision import no_finer
from chainrules.makers.elementwise import binary_rule
from chainrules.operations.exprel import exprel
from chainrules.values.quotients import inverse
from chainrules_core import may_hold, non_differentiable, primal_of, scalar_rule, without_warnings

scalar_rule(special.cbrt, lambda y, x: inverse(3.0 * y * y))
scalar_rule(special.exp2, lambda y, x: log(2) * y)
scalar_rule(special.exp10, lambda y, x: log(10) * y)
scalar_rule(special.expm1, lambda y, x: np.exp(x))
scalar_rule(special.log1p, lambda y, x: inverse(1.0 + x))
scalar_rule(special.exprel, lambda y, x: exprel(1, x))

# --- Angles in degrees, minutes and seconds ----------------------------------------------------------------

DEGREE = pi / 180

scalar_rule(special.cosm1, lambda y, x: -np.sin(x))
scalar_rule(special.cosdg, lambda y, x: -DEGREE * special.sindg(x))
scalar_rule(special.sindg, lambda y, x: DEGREE * special.cosdg(x))
scalar_rule(special.tandg, lambda y, x: DEGREE * (1.0 + y * y))
scalar_rule(special.cotdg, lambda y, x: -DEGREE * (1.0 + y * y))


@scalar_rule(special.radian)
def _(y, degrees, minutes, seconds):
    degree = primal_of(y).dtype.type(DEGREE)
    return degree, degree / 60, degree / 3600


# --- Products with logarithms, and powers ------------------------------------------------------------------


def _log_factor(log_of, z, x, y, pole):
    """The logarithm, but 0 at its pole where the factor is 0 too."""
    is_removed = (primal_of(x) == 0) & (primal_of(y) == pole)
    return no_finer(log_of(np.where(is_removed, 1.0 + pole, y) if may_hold(is_removed) else y), z)


def _xlogy_by_y(z, x, y):
    """``x / y``, but 0 where both are 0."""
    are_zero = (primal_of(x) == 0) & (primal_of(y) == 0)
    return no_finer(x / (np.where(are_zero, 1.0, y) if may_hold(are_zero) else y), z)


binary_rule(
    special.xlogy,
    without_warnings(lambda z, x, y: _log_factor(np.log, z, x, y, 0.0)),
    without_warnings(_xlogy_by_y),
)
binary_rule(
    special.xlog1py,
    without_warnings(lambda z, x, y: _log_factor(np.log1p, z, x, y, -1.0)),
    without_warnings(lambda z, x, y: _xlogy_by_y(z, x, 1.0 + y)),
)
binary_rule(special.powm1, powers.by_base, lambda z, x, p: powers.by_exponent(z + 1.0, x, p))

non_differentiable(special.round)
