"""Rules for ellipsoidal harmonics, by the coordinate s.

See https://dlmf.nist.gov/29.18 and SciPy's pages.

E is a polynomial, times square roots that branch at ``s = ±h`` and ``s = ±k``; it is differentiated by
differences, see `chainrules.formulas.special_functions.differences_in_order`, over steps that are short
beside the distance of these. The second function is ``F = (2n + 1) E(s) ∫_s^∞ dt / (E² sqrt((t² - h²) (t² -
k²)))``, so that ::

    F' = F E' / E - (2n + 1) / (E sqrt((s² - h²) (s² - k²)))
"""

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.differences_in_order import derivative_by_order
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import not_implemented, primal_of, primitive

harmonic = primitive(special.ellip_harm)


def _by_semiaxis(y, *args):
    return not_implemented(
        "by h² or k² of ellipsoidal harmonics: SciPy does not give their coefficients, whose eigenvalue "
        "problem would have to be differentiated"
    )


def _by_coordinate(y, *args, **signs):
    h2, k2, n, p, s, *given = args

    def of_s(s):
        return harmonic(h2, k2, n, p, s, *given, **signs)

    h, k, size = np.sqrt(primal_of(h2)), np.sqrt(primal_of(k2)), np.abs(primal_of(s))
    distance = np.minimum(np.abs(size - h), np.abs(size - k))
    return derivative_by_order(of_s, y, s, rate=16.0 / np.maximum(distance, np.finfo(float).tiny))


def _by_coordinate_of_second(y, *args):
    h2, k2, n, _, s = args
    first = harmonic(*args)
    product = np.sqrt((s * s - h2) * (s * s - k2))
    return (y * _by_coordinate(first, *args) - (2 * n + 1) / product) / first


_parameters = _by_semiaxis, _by_semiaxis, None, None

lazy_scalar_rule(special.ellip_harm, *_parameters, _by_coordinate)
lazy_scalar_rule(special.ellip_harm_2, *_parameters, _by_coordinate_of_second)
lazy_scalar_rule(special.ellip_normal, *_parameters)
