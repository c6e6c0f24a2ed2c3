"""Rules for distributions of vectors other than the normal one, by all real parameters.

Densities, entropies and moments are the compositions that their definitions are: S. Kotz, N. Balakrishnan and
N. L. Johnson, "Continuous Multivariate Distributions" (2000); K. V. Mardia and P. E. Jupp, "Directional
Statistics" (2000). Of a shape matrix the lower triangle is read, as SciPy does it, and the cotangent stands
there. Numbers and vectors for matrices, and singular ones, are left to SciPy's code.

`multivariate_hypergeom`, `random_table`, `ortho_group`, `special_ortho_group`, `unitary_group` and
`uniform_direction` have no real parameters.
"""

from typing import Any

import numpy as np
from scipy import special, stats
from scipy.stats import _multivariate

from chainrules.makers.vector_distributions import (
    are_matrices,
    density_of,
    frozen_rules,
    log_det,
    method_rules,
    squeezed,
)

LOG_2, LOG_PI = np.log(2.0), np.log(np.pi)


# --- Student's distribution of vectors ---------------------------------------------------------------------


def _student_density(x, loc=None, shape=1, df=1):
    n = np.size(loc)
    if not are_matrices(shape) or np.shape(shape)[0] != n or np.ndim(loc) != 1 or np.shape(x)[-1:] != (n,):
        return None
    if np.ndim(df) or np.isinf(df) or _multivariate._PSD(shape).rank < n:  # noqa: SLF001 - SciPy's own judgement
        return None
    outer = np.shape(x)[:-1]

    def composition(x, loc=loc, shape=shape, df=df):
        L = np.linalg.cholesky(shape)
        distances = np.transpose(np.reshape(x - loc, (-1, n)))
        squares = np.sum(np.linalg.solve(L, distances) ** 2, axis=0)
        half = 0.5 * (df + n)
        factor = special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * n * np.log(np.pi * df)
        return squeezed(factor - 0.5 * log_det(L) - half * np.log1p(squares / df), outer)

    return composition


def _student_entropy(loc=None, shape=1, df=1):
    if not are_matrices(shape) or np.ndim(df) or np.isinf(df):
        return None
    n = len(shape)
    if _multivariate._PSD(shape).rank < n:  # noqa: SLF001 - SciPy's own judgement
        return None

    def composition(shape, df):
        half = 0.5 * (df + n)
        factor = special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * n * np.log(np.pi * df)
        slope = special.psi(half) - special.psi(0.5 * df)
        return half * slope - factor + 0.5 * log_det(np.linalg.cholesky(shape))

    return composition


method_rules(stats.multivariate_t, (0, None), logpdf=_student_density, pdf=density_of(_student_density))
method_rules(stats.multivariate_t, (1, 3), entropy=_student_entropy)


# --- Dirichlet's distribution, and counts ------------------------------------------------------------------


def _log_beta(alpha):
    return np.sum(special.gammaln(alpha)) - special.gammaln(np.sum(alpha))


def _dirichlet_density(x, alpha):
    """The last coordinate of the points may be left out."""
    k, size, shape = np.size(alpha), np.shape(x)[0] if np.ndim(x) else 0, np.shape(x)[1:]
    if np.ndim(alpha) != 1 or not k - 1 <= size <= k:
        return None

    def composition(x, alpha):
        y = np.sum(special.xlogy(alpha[:size] - 1.0, np.transpose(x)), axis=-1)
        if size < k:
            y = y + special.xlogy(alpha[-1] - 1.0, 1.0 - np.sum(x, axis=0))
        return squeezed(y - _log_beta(alpha), shape)

    return composition


def _dirichlet_density_itself(x, alpha):
    """At a coordinate 0 its power is a factor of its own, whose slope `exp` of a logarithm would not see."""
    inner, k = density_of(_dirichlet_density)(x, alpha), np.size(alpha)
    if inner is None or (np.all(np.greater(x, 0.0)) and (len(x) == k or np.all(np.sum(x, axis=0) < 1.0))):
        return inner
    shape = np.shape(x)[1:]

    def composition(x, alpha):
        if np.shape(x)[0] < k:
            x = np.append(x, 1.0 - np.sum(x, axis=0, keepdims=True), axis=0)
        x = np.transpose(x)
        is_zero = np.equal(x, 0.0) & np.not_equal(alpha, 1.0)
        powers = np.where(is_zero, x, 1.0) ** (alpha - 1.0)
        y = np.sum(special.xlogy(alpha - 1.0, np.where(is_zero, 1.0, x)), axis=-1)
        return squeezed(np.prod(powers, axis=-1) * np.exp(y - _log_beta(alpha)), shape)

    return composition


def _of_vector(composition: Any) -> Any:
    """The composition of one vector of at least two numbers."""

    def read(alpha):
        return composition if np.ndim(alpha) == 1 and np.size(alpha) > 1 else None

    return read


def _dirichlet_covariance(alpha):
    mean = alpha / np.sum(alpha)
    return (np.diag(mean) - np.outer(mean, mean)) / (np.sum(alpha) + 1.0)


def _dirichlet_entropy(alpha):
    total = np.sum(alpha)
    slope = (total - alpha.shape[0]) * special.psi(total)
    return _log_beta(alpha) + slope - np.sum((alpha - 1.0) * special.psi(alpha))


def _dirichlet_variance(alpha):
    mean = alpha / np.sum(alpha)
    return mean * (1.0 - mean) / (np.sum(alpha) + 1.0)


method_rules(stats.dirichlet, (0, 2), logpdf=_dirichlet_density, pdf=_dirichlet_density_itself)
method_rules(
    stats.dirichlet,
    (0, 1),
    mean=_of_vector(lambda alpha: alpha / np.sum(alpha)),
    var=_of_vector(_dirichlet_variance),
    cov=_of_vector(_dirichlet_covariance),
    entropy=_of_vector(_dirichlet_entropy),
)


def _are_probabilities(p, least=1e-300):
    """Whether numbers sum to one; of others SciPy changes the last, or refuses them."""
    return (
        np.ndim(p) == 1
        and np.size(p) > 1
        and np.all(p >= least)
        and abs(np.sum(p) - 1.0) < 1e-15 * np.size(p)
    )


def _are_counts(x, n):
    """Whether counts sum to their number; the probability of others is zero."""
    return (
        np.ndim(x) > 0
        and np.all(np.equal(np.floor(x), x) & np.greater_equal(x, 0))
        and np.all(np.sum(x, -1) == n)
    )


def _multinomial_mass(x, n, p):
    if not _are_probabilities(p) or not _are_counts(x, n):
        return None
    return lambda p: (
        special.gammaln(np.add(n, 1.0))
        + np.sum(special.xlogy(x, p) - special.gammaln(np.add(x, 1.0)), axis=-1)
    )


def _multinomial_mass_itself(x, n, p):
    """As a product of powers where a probability is 0, by which `exp` of a logarithm has no slope."""
    if np.all(np.greater(p, 0.0)) or not _are_probabilities(p, 0.0) or not _are_counts(x, n):
        return density_of(_multinomial_mass)(x, n, p)
    ways = np.exp(special.gammaln(np.add(n, 1.0)) - np.sum(special.gammaln(np.add(x, 1.0)), axis=-1))
    return lambda p: ways * np.prod(p**x, axis=-1)


def _multinomial_covariance(n, p):
    return (lambda p: n * (np.diag(p) - np.outer(p, p))) if _are_probabilities(p) and not np.ndim(n) else None


def _multinomial_mean(n, p):
    return (lambda p: n * p) if _are_probabilities(p) and not np.ndim(n) else None


method_rules(stats.multinomial, (2, 3), logpmf=_multinomial_mass, pmf=_multinomial_mass_itself)
method_rules(stats.multinomial, (1, 2), mean=_multinomial_mean, cov=_multinomial_covariance)


def _mixed_mass(x, alpha, n):
    if np.ndim(alpha) == 0 or not _are_counts(x, n):
        return None
    counts, number = np.asarray(x), np.asarray(n)
    constant = special.gammaln(number + 1.0) - np.sum(special.gammaln(counts + 1.0), axis=-1)

    def composition(alpha):
        total = np.sum(alpha, axis=-1)
        factors = special.gammaln(alpha + counts) - special.gammaln(alpha)
        return special.gammaln(total) - special.gammaln(total + number) + np.sum(factors, axis=-1) + constant

    return composition


def _scaled(read: Any, factor: Any) -> Any:
    """The moment of Dirichlet's distribution times a function of the number and of the sum of `alpha`."""

    def read_scaled(alpha, n):
        composition = read(alpha) if not np.ndim(n) else None
        return composition and (lambda alpha: factor(n, np.sum(alpha)) * composition(alpha))

    return read_scaled


def _spread(n, total):
    return n * (n + total)


method_rules(stats.dirichlet_multinomial, (1, 2), logpmf=_mixed_mass, pmf=density_of(_mixed_mass))
method_rules(
    stats.dirichlet_multinomial,
    (0, 1),
    mean=_scaled(_of_vector(lambda alpha: alpha / np.sum(alpha)), lambda n, total: n),
    var=_scaled(_of_vector(_dirichlet_variance), _spread),
    cov=_scaled(_of_vector(_dirichlet_covariance), _spread),
)


# --- Directions --------------------------------------------------------------------------------------------


def _log_norm(kappa, n):
    """The factor of the density without ``exp(-kappa)``."""
    bessel = np.log(special.ive(0.5 * n - 1.0, kappa))
    return (0.5 * n - 1.0) * np.log(kappa) - 0.5 * n * (LOG_2 + LOG_PI) - bessel


def _direction_density(x, mu=None, kappa=1):
    if np.ndim(mu) != 1 or np.ndim(kappa) or np.shape(x)[-1:] != np.shape(mu):
        return None
    n = len(mu)

    def composition(x, mu=mu, kappa=kappa):
        return _log_norm(kappa, n) + kappa * (np.sum(x * mu, axis=-1) - 1.0)

    return composition


def _direction_entropy(mu=None, kappa=1):
    n = np.size(mu)

    def composition(kappa):
        ratio = special.ive(0.5 * n, kappa) / special.ive(0.5 * n - 1.0, kappa)
        return kappa * (1.0 - ratio) - _log_norm(kappa, n)

    return None if np.ndim(kappa) else composition


method_rules(stats.vonmises_fisher, (0, None), logpdf=_direction_density, pdf=density_of(_direction_density))
method_rules(stats.vonmises_fisher, (1, 2), entropy=_direction_entropy)


# --- A normal mean with its variance -----------------------------------------------------------------------


def _mean_and_variance_density(x, s2, mu=0, lmbda=1, a=1, b=1):  # noqa: PLR0913, PLR0917 - those of SciPy
    if not all(np.all(np.greater(part, 0.0)) for part in (s2, lmbda, a, b)):
        return None

    def composition(x, s2, mu=mu, lmbda=lmbda, a=a, b=b):  # noqa: PLR0913, PLR0917 - those of SciPy
        factor = 0.5 * (np.log(lmbda) - LOG_2 - LOG_PI) + a * np.log(b) - special.gammaln(a)
        return factor - (a + 1.5) * np.log(s2) - (b + 0.5 * lmbda * (x - mu) ** 2) / s2

    return composition


method_rules(
    stats.normal_inverse_gamma,
    (0, None),
    logpdf=_mean_and_variance_density,
    pdf=density_of(_mean_and_variance_density),
)


# --- Distributions that hold their parameters --------------------------------------------------------------


def _frozen(distribution, fields, *names):
    owner = getattr(_multivariate, type(distribution).__name__.replace("_gen", "_frozen"))
    frozen_rules(owner, distribution, fields, *names)


_frozen(stats.multivariate_t, ("loc", "shape", "df"), "logpdf", "pdf", "entropy")
_frozen(stats.dirichlet, ("alpha",), "logpdf", "pdf", "mean", "var", "cov", "entropy")
_frozen(stats.multinomial, ("n", "p"), "logpmf", "pmf", "mean", "cov")
_frozen(stats.dirichlet_multinomial, ("alpha", "n"), "logpmf", "pmf", "mean", "var", "cov")
_frozen(stats.vonmises_fisher, ("mu", "kappa"), "logpdf", "pdf", "entropy")
