"""The derivatives of complete elliptic integrals by their parameter.

``K' = (E / (1 - m) - K) / (2 m)`` and ``E' = (E - K) / (2 m)``, and near ``m = 0``, where these cancel, the
derivatives of the power series ``2/π K = Σ c_n² m^n`` and ``2/π E = Σ c_n² m^n / (1 - 2 n)``, where ``c_n =
1/2 3/4 ... (2 n - 1)/(2 n)``: https://dlmf.nist.gov/19.4, https://dlmf.nist.gov/19.5. That is four times as
fast, for 10⁵ numbers, as Carlson's integrals, which do not cancel either.
"""

import functools
import math
from typing import Any

import numpy as np

from chainrules.formulas.numbers.series_near_zero import series_where
from chainrules_core import may_hold, primal_of

# Up to here the series, with this many terms, have the precision of a double, and from there on the
# quotients.
_NEAR = 0.15
_TERMS = 20


def first_kind_by_m(K: Any, E: Any, m: Any, complement: Any) -> Any:
    """``K'(m)``, with a relative error of about 2e-15; infinite at 1.

    Parameters
    ----------
    K, E
        The integrals of both kinds.
    m, complement
        The parameter and ``1 - m``, either of which may be the more precise.
    """
    quotient = 0.5 * (E / complement - K) / m
    is_one = primal_of(complement) == 0
    return _joined(
        m, _coefficients()[0], np.where(is_one, np.inf, quotient) if may_hold(is_one) else quotient
    )


def second_kind_by_m(K: Any, E: Any, m: Any) -> Any:
    """``E'(m)``, with a relative error of about 2e-15; negative infinity at 1."""
    return _joined(m, _coefficients()[1], 0.5 * (E - K) / m)


def _joined(m: Any, coefficients: tuple[float, ...], quotient: Any) -> Any:
    is_near = np.abs(primal_of(m)) < _NEAR
    if not may_hold(is_near):
        return quotient
    return series_where(is_near, lambda m: _polynomial(coefficients, m), m, quotient)


def _polynomial(coefficients: tuple[float, ...], m: Any) -> Any:
    total: Any = 0.0
    for coefficient in coefficients:
        total = total * m + coefficient
    return total


@functools.cache
def _coefficients() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Those of the derivatives of both series, the highest power first."""
    first, second, c = [], [], 1.0
    for n in range(1, _TERMS + 1):
        c *= (2 * n - 1) / (2 * n)
        first.append(0.5 * math.pi * n * c * c)
        second.append(first[-1] / (1 - 2 * n))
    return tuple(reversed(first)), tuple(reversed(second))
