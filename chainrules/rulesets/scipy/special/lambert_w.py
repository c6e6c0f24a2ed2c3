"""Rules for Lambert's W function and its relatives.

``W e^W = z`` gives ``W'(z) = e^-W / (1 + W)``, which is 1 at 0, where ``W / (z (1 + W))`` is 0 / 0. Near the
branch point, ``z = -1/e``, ``1 + W`` has lost its digits. It is a series there in ``p = ±sqrt(2 (e z + 1))``,
https://dlmf.nist.gov/4.13.E6, with ``1/e`` in twice the precision.
``ω + log ω = z`` gives ``ω' = ω / (1 + ω)``: R. M. Corless and D. J. Jeffrey, "The Wright ω function", 2002.
"""

from math import e
from typing import Any

import numpy as np
from scipy.special import lambertw, wrightomega

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import may_hold, primal_of, scalar_rule

# 1/e is the sum of these.
_INVERSE_OF_E = 0.36787944117144233, -1.2428753672788363e-17
# The coefficients of 1 + W = p - p²/3 + 11/72 p³ - ..., and where it has converged to 16 digits.
_SERIES = (
    *(1.0, -1 / 3, 11 / 72, -43 / 540, 769 / 17280, -221 / 8505, 680863 / 43545600, -1963 / 204120),
    226287557 / 37623398400,
)
_NEAR = 0.03


def _by_z(w: Any, z: Any, k: Any = 0, tol: Any = 0.0) -> Any:
    above = _above_branch_point(w, z)
    return np.exp(1.0 - above) / above


def _above_branch_point(w: Any, z: Any) -> Any:
    """``1 + W(z)``, with a relative error of about 1e-14."""
    value = primal_of(w)
    # SciPy has no value at the branch point itself.
    is_near = (np.abs(1.0 + value) < _NEAR) | np.isnan(value)
    if not may_hold(is_near):
        return 1.0 + w
    head, tail = _INVERSE_OF_E
    squared = 2.0 * e * ((np.where(is_near, z, 0.0) + head) + tail)
    p = np.sqrt(squared + 0j)
    # Of both roots, the one that belongs to the branch.
    p = p * np.where(np.real(np.conj(primal_of(p)) * (1.0 + value)) < 0, -1.0, 1.0)
    series: Any = 0.0
    for coefficient in reversed(_SERIES):
        series = (series + coefficient) * p
    return np.where(is_near, series, 1.0 + w)


lazy_scalar_rule(lambertw, _by_z)
scalar_rule(wrightomega, lambda omega, z: omega / (1.0 + omega))
