"""Rules for Riccati-Bessel functions of all orders up to one, ``x j_k(x)`` and ``x y_k(x)``.

With f for either, by https://dlmf.nist.gov/10.51 ::

    (2k + 1) f_k'' = (k + 1) f_{k-1}' - k f_{k+1}',   f_0'' = -f_0

without a quotient by x, so that they hold at 0. The order is an integer, and has no tangent.
"""

import numpy as np
from scipy import special

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import primitive


def define_rule(function):
    """Define the rules of a function that returns the values and the derivatives."""
    call = primitive(function)

    def by_argument(y, n, x):
        values, slopes = y
        _, slopes_and_next = call(n + 1, x)
        k = np.arange(1, n + 1)
        higher = ((k + 1) * slopes_and_next[:-2] - k * slopes_and_next[2:]) / (2 * k + 1)
        return slopes, np.concatenate((-values[:1], higher))

    lazy_scalar_rule(function, None, by_argument)


define_rule(special.riccati_jn)
define_rule(special.riccati_yn)
