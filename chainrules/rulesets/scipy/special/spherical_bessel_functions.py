"""Rules for spherical Bessel functions, and for their derivatives, which ``derivative=True`` asks for.

With f for j and y, https://dlmf.nist.gov/10.51 ::

    (2n + 1) f_n' = n f_{n-1} - (n + 1) f_{n+1}
    (2n + 1) i_n' = n i_{n-1} + (n + 1) i_{n+1},   -(2n + 1) k_n' = n k_{n-1} + (n + 1) k_{n+1}

which have no quotient by z, so that they hold at 0. Orders are integers, and have no tangent.
"""

import numpy as np
from scipy import special

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import primitive


def define_rule(function, below, above):
    """Define the rules of a function whose derivative has these signs of the neighbouring orders."""
    call = primitive(function)

    def by_argument(y, n, z, derivative=False):
        # Below the order 0 there is none, and its factor is 0.
        lower, upper = call(np.maximum(n - 1, 0), z, derivative), call(n + 1, z, derivative)
        return (below * n / (2 * n + 1)) * lower + (above * (n + 1) / (2 * n + 1)) * upper

    lazy_scalar_rule(function, None, by_argument)


define_rule(special.spherical_jn, 1.0, -1.0)
define_rule(special.spherical_yn, 1.0, -1.0)
define_rule(special.spherical_in, 1.0, 1.0)
define_rule(special.spherical_kn, -1.0, -1.0)
