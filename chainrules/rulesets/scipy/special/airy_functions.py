"""Rules for Airy functions: ``Ai'' = z Ai``, and ``Bi`` likewise, https://dlmf.nist.gov/9.2.

The functions that are scaled by ``exp(±ζ)``, where ``ζ = 2/3 z^(3/2)``, are by https://dlmf.nist.gov/9.6 ::

    e^ζ Ai(z) = sqrt(z/3)/π e^ζ K_{1/3}(ζ),   e^ζ Ai'(z) = -z/(π sqrt 3) e^ζ K_{2/3}(ζ)

whose expansions for large ζ are differentiated where real z is large, since the derivative of the factor
cancels there; those of Bi belong to -ζ. `airye` scales Bi by ``exp(-|Re ζ|)``, which is not holomorphic.
"""

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.bessel_slopes import far_or_near, is_large, logarithmic_slope
from chainrules.makers.lazy_partials import TwoPartials, lazy_scalar_rule
from chainrules_core import is_complex, non_differentiable, primal_of, primitive, scalar_rule

airy = primitive(special.airy)


@scalar_rule(special.airy)
def _(y, z):
    ai, ai_slope, bi, bi_slope = y
    return (ai_slope,), (z * ai,), (bi_slope,), (z * bi,)


def _by_argument(y, z):
    return _by_complex_argument(y, z) if is_complex(z) else _by_real_argument(y, z)


def _by_complex_argument(y, z):
    ai, ai_slope, bi, bi_slope = y
    root = np.sqrt(z)
    sign = np.sign(np.real(primal_of(z * root)))

    def scaled(value, slope):
        half = 0.5 * sign * value
        return TwoPartials(slope - half * root, -half * np.conj(root))

    return ai_slope + root * ai, z * ai + root * ai_slope, scaled(bi, bi_slope), scaled(bi_slope, z * bi)


def _by_real_argument(y, z):
    ai, ai_slope, bi, bi_slope = y
    root = np.sqrt(np.maximum(z, 0.0))  # of negative numbers Bi is not scaled, and Ai is NaN
    zeta = 2.0 / 3.0 * z * root
    is_far = is_large(0.5, primal_of(zeta))
    x = np.where(is_far, z, 1.0)

    def slope(value, near, order, power, sign):
        def far():
            return value * (power / x + sign * root * logarithmic_slope(order, sign * zeta))

        return far_or_near(is_far, far, near)

    return (
        slope(ai, ai_slope + root * ai, 1 / 3, 0.5, 1.0),
        slope(ai_slope, z * ai + root * ai_slope, 2 / 3, 1.0, 1.0),
        slope(bi, bi_slope - root * bi, 1 / 3, 0.5, -1.0),
        slope(bi_slope, z * bi - root * bi_slope, 2 / 3, 1.0, -1.0),
    )


lazy_scalar_rule(special.airye, _by_argument)


@scalar_rule(special.itairy)
def _(y, x):
    (ai, _, bi, _), (ai_left, _, bi_left, _) = airy(x), airy(-x)
    return (ai,), (bi,), (ai_left,), (bi_left,)


non_differentiable(special.ai_zeros, special.bi_zeros)
