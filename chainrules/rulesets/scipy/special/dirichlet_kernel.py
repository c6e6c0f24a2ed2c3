"""Rules for the Dirichlet kernel, ``sin(nx/2) / (n sin(x/2))``, whose number n is whole and has no tangent.

It is the mean of ``cos(mx)`` over the n numbers ``m = -(n - 1)/2, ..., (n - 1)/2``, so that its derivative
is the mean of ``-m sin(mx)``, also where numerator and denominator are zero.
"""

import numpy as np
from scipy import special

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import primal_of


def _by_x(y, x, n):
    n = np.asarray(primal_of(n), float)
    ndim = len(np.broadcast_shapes(n.shape, np.shape(x)))
    k = np.reshape(np.arange(np.max(n, initial=0)), (-1, *(1,) * ndim))
    m = np.where(k < n, k - (n - 1) / 2, 0).astype(primal_of(y).dtype)
    return np.where(np.isnan(primal_of(y)), np.nan, -np.sum(m * np.sin(m * x), axis=0) / n)


lazy_scalar_rule(special.diric, _by_x, None)
