"""Rules for binomial coefficients, permutations and factorials, as functions of real numbers.

``C(n, k)``, ``(n - k + 1)ₖ`` and ``n! = Γ(n + 1)`` have the derivatives of
`chainrules/formulas/special_functions/gamma_quotients.py`. Outside of ``0 <= k <= n`` `comb` and `perm` are
0, and so are their derivatives; a factorial is 0 where ``n < 0``. With ``exact=True`` they take whole numbers
alone, between which there are no values.
"""

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.gamma_quotients import binom_by_k, binom_by_n, poch_by_m, poch_by_z
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import non_differentiable, not_implemented, primal_of

lazy_scalar_rule(special.binom, binom_by_n, binom_by_k)
non_differentiable(special.stirling2)


def _of_whole_numbers():
    return not_implemented("called like this, it has values at whole numbers alone")


def _within(n, k, slope):
    """The slope where the function is not cut to 0."""
    n, k = primal_of(n), primal_of(k)
    return np.where((k <= n) & (n >= 0) & (k >= 0), slope, 0.0)


# SciPy 1.17 is the first that does not cut `comb` with repetition.
_IS_CUT_WITH_REPETITION = special.comb(0.5, 3.0, repetition=True) == 0


def _where_not_cut(n, k, slope):
    return _within(n, k, slope) if _IS_CUT_WITH_REPETITION else slope


# --- Selections --------------------------------------------------------------------------------------------


def _comb_by_n(y, n, k, exact=False, repetition=False):
    if exact:
        return _of_whole_numbers()
    if repetition:
        n = n + k - 1.0
        return _where_not_cut(n, k, binom_by_n(y, n, k))
    return _within(n, k, binom_by_n(y, n, k))


def _comb_by_k(y, n, k, exact=False, repetition=False):
    if exact:
        return _of_whole_numbers()
    if repetition:
        n = n + k - 1.0
        return _where_not_cut(n, k, binom_by_n(y, n, k) + binom_by_k(y, n, k))
    return _within(n, k, binom_by_k(y, n, k))


def _perm_by_n(y, n, k, exact=False):
    return _of_whole_numbers() if exact else _within(n, k, poch_by_z(y, n - k + 1.0, k))


def _perm_by_k(y, n, k, exact=False):
    if exact:
        return _of_whole_numbers()
    start = n - k + 1.0
    return _within(n, k, poch_by_m(y, start, k) - poch_by_z(y, start, k))


lazy_scalar_rule(special.comb, _comb_by_n, _comb_by_k)
lazy_scalar_rule(special.perm, _perm_by_n, _perm_by_k)

# --- Factorials --------------------------------------------------------------------------------------------


def _factorial_slope(y, n, exact=False, extend="zero"):
    if exact:
        return _of_whole_numbers()
    slope = y * special.psi(n + 1.0)
    return slope if extend == "complex" else np.where(primal_of(n) < 0, 0.0, slope)


def _multifactorial_slope(extend):
    if extend == "zero":
        return _of_whole_numbers()
    return not_implemented("the derivative of a multifactorial of real numbers is not known to these rules")


lazy_scalar_rule(special.factorial, _factorial_slope)
lazy_scalar_rule(special.factorial2, lambda y, n, exact=False, extend="zero": _multifactorial_slope(extend))
lazy_scalar_rule(
    special.factorialk,
    *[lambda y, n, k, exact=False, extend="zero": _multifactorial_slope(extend)] * 2,  # `k` may be real too
)
