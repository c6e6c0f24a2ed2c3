"""Rules for the incomplete beta function, and for the distributions that it gives the probabilities of.

With ``I_x(a, b)`` and its density ``f(x; a, b)`` the distribution functions are those of the binomial, ``1
- I_p(k + 1, n - k)``, the negative binomial, ``I_p(n, k + 1)``, F, ``I_y(n/2, m/2)`` at ``y = nx / (m +
nx)``, and Student, ``(1 + I_w(1/2, v/2)) / 2`` at ``w = t² / (v + t²)`` for ``t > 0``:
https://dlmf.nist.gov/8.17. Everywhere ``∂I/∂a`` is negative and ``∂I/∂b`` positive; they are computed in
`chainrules/operations/incomplete_beta.py`.
"""

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.distribution_slopes import of_complement, of_probability
from chainrules.formulas.probabilities.student_distribution import student_density, student_slope
from chainrules.makers.lazy_partials import inverse_rule, lazy_scalar_rule
from chainrules.operations.incomplete_beta import beta_density, beta_probability
from chainrules_core import may_hold, primal_of


def density(a, b, x):
    return beta_density(0, 0, a, b, x)


def by_first(a, b, x):
    """``∂I/∂a``."""
    return beta_probability(1, 0, a, b, x)


def by_second(a, b, x):
    """``∂I/∂b``."""
    return beta_probability(0, 1, a, b, x)


INCOMPLETE = of_probability(by_first, by_second, density)

lazy_scalar_rule(special.betainc, *INCOMPLETE)
lazy_scalar_rule(special.betaincc, *of_complement(INCOMPLETE))
inverse_rule(special.betaincinv, 2, INCOMPLETE, ends=(0.0, 1.0))
inverse_rule(special.betainccinv, 2, of_complement(INCOMPLETE), ends=(0.0, 1.0))
inverse_rule(special.btdtria, 0, INCOMPLETE, solves=special.betainc)
inverse_rule(special.btdtrib, 1, INCOMPLETE, solves=special.betainc)

# --- The binomial distribution -----------------------------------------------------------------------------

# With numbers of successes and trials that are rounded down, and with real ones, which some inverses have.


def _binomial_density(k, n, p):
    """The derivative of the survival function by `p`; nothing survives all trials."""
    successes = np.floor(primal_of(k)) + 1.0
    rest = np.floor(primal_of(n)) + 1.0 - successes
    is_certain = rest <= 0
    return np.where(is_certain, 0.0, density(successes, np.where(is_certain, 1.0, rest), p))


BINOMIAL = (
    lambda _, k, n, p: by_second(k + 1.0, n - k, p) - by_first(k + 1.0, n - k, p),
    lambda _, k, n, p: -by_second(k + 1.0, n - k, p),
    lambda _, k, n, p: -density(k + 1.0, n - k, p),
)

lazy_scalar_rule(special.bdtr, None, None, lambda _, k, n, p: -_binomial_density(k, n, p))
lazy_scalar_rule(special.bdtrc, None, None, lambda _, k, n, p: _binomial_density(k, n, p))
lazy_scalar_rule(special.bdtri, None, None, lambda p, k, n, y: -1.0 / _binomial_density(k, n, p))
inverse_rule(special.bdtrik, 0, BINOMIAL, least=0.0)
inverse_rule(special.bdtrin, 1, BINOMIAL)

# --- The negative binomial distribution, with numbers that are rounded down or real, too -------------------


def _negative_binomial_density(k, n, p):
    return density(np.floor(primal_of(n)), np.floor(primal_of(k)) + 1.0, p)


NEGATIVE_BINOMIAL = (
    lambda _, k, n, p: by_second(n, k + 1.0, p),
    lambda _, k, n, p: by_first(n, k + 1.0, p),
    lambda _, k, n, p: density(n, k + 1.0, p),
)

lazy_scalar_rule(special.nbdtr, None, None, lambda _, k, n, p: _negative_binomial_density(k, n, p))
lazy_scalar_rule(special.nbdtrc, None, None, lambda _, k, n, p: -_negative_binomial_density(k, n, p))
lazy_scalar_rule(special.nbdtri, None, None, lambda p, k, n, y: 1.0 / _negative_binomial_density(k, n, p))
inverse_rule(special.nbdtrik, 0, NEGATIVE_BINOMIAL, least=0.0)
inverse_rule(special.nbdtrin, 1, NEGATIVE_BINOMIAL)

# --- The F distribution ------------------------------------------------------------------------------------


# From this multiple of ``m`` on, in the upper tail, ``nx`` gives a ``y`` near 1 that has lost digits.
_FAR = 1e3


def _f_by_n(n, m, x):
    by_shape = _of_either_tail(by_first, lambda b, a, y: -by_second(b, a, y), n, m, x)
    return 0.5 * by_shape + _zero_at_end(x, _f_density(n, m, x) * x / n)


def _f_by_m(n, m, x):
    by_shape = _of_either_tail(by_second, lambda b, a, y: -by_first(b, a, y), n, m, x)
    return 0.5 * by_shape - _zero_at_end(x, _f_density(n, m, x) * x / m)


def _zero_at_end(x, product):
    """A density times `x`, which goes to 0 with x although the density may become infinite."""
    return np.where(primal_of(x) == 0, 0.0, product)


def _f_density(n, m, x):
    return _of_either_tail(density, density, n, m, x) * n * m / (m + n * x) ** 2


def _of_either_tail(lower, upper, n, m, x):
    """``lower(n/2, m/2, y)``, which is ``upper(m/2, n/2, 1 - y)``."""
    total = m + n * x
    is_far = primal_of(n * x) > _FAR * primal_of(m)
    if not may_hold(is_far):
        return lower(0.5 * n, 0.5 * m, n * x / total)
    near = lower(0.5 * n, 0.5 * m, np.where(is_far, 0.5, n * x / total))
    return np.where(is_far, upper(0.5 * m, 0.5 * n, np.where(is_far, m / total, 0.5)), near)


F = of_probability(_f_by_n, _f_by_m, _f_density)

lazy_scalar_rule(special.fdtr, *F)
lazy_scalar_rule(special.fdtrc, *of_complement(F))
inverse_rule(special.fdtri, 2, F, ends=(0.0,))
inverse_rule(special.fdtridfd, 1, F, solves=special.fdtr)

# --- Student's distribution --------------------------------------------------------------------------------


STUDENT = of_probability(student_slope, student_density)

lazy_scalar_rule(special.stdtr, *STUDENT)
inverse_rule(special.stdtrit, 1, STUDENT)
inverse_rule(special.stdtridf, 0, STUDENT, solves=special.stdtr)
