"""Rules for distributions of vectors and matrices other than the normal one of vectors, by all real parameters.

Densities, entropies and moments are the compositions that their definitions are: A. K. Gupta and D. K. Nagar,
"Matrix Variate Distributions" (2000); S. Kotz, N. Balakrishnan and N. L. Johnson, "Continuous Multivariate
Distributions" (2000); K. V. Mardia and P. E. Jupp, "Directional Statistics" (2000). Of a scale matrix the lower
triangle is read for determinants and inverses, as SciPy does it, and the cotangent stands there. Forms of
arguments that are left to SciPy's code: numbers and vectors for matrices, several matrices, singular ones.

`multivariate_hypergeom`, `random_table`, `ortho_group`, `special_ortho_group`, `unitary_group` and
`uniform_direction` have no real parameters.
"""

import functools
from typing import Any

import numpy as np
from scipy import special, stats
from scipy.stats import _multivariate

from chainrules.makers.composed_rules import composed_rule
from chainrules.makers.reparameterization import not_reparameterized
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Tangent,
    define,
    frule,
    rrule,
    rule_maker,
    typeof_,
)

LOG_2, LOG_PI = np.log(2.0), np.log(np.pi)


def _exponential(read: Any) -> Any:
    """The same for the density as for its logarithm."""

    @functools.wraps(read)
    def read_density(*args: Any, **named: Any) -> Any:
        composition = read(*args, **named)
        return composition and (lambda *given: np.exp(composition(*given)))

    return read_density


def _rules(distribution: Any, skip: int = 0, count: int | None = None, **reads: Any) -> None:
    """Define the rules of methods of a distribution, of arguments from one place to another."""
    owner = type(distribution)
    for name, read in reads.items():
        composed_rule(getattr(owner, name), read, count, skip=skip, owner=owner)


def _squeezed(y: Any, shape: Any) -> Any:
    """The result in its shape, without axes of length one, as SciPy returns it."""
    return np.reshape(y, [n for n in shape if n != 1])


def _are_matrices(*matrices: Any) -> bool:
    return all(np.ndim(A) == 2 and np.shape(A)[0] == np.shape(A)[1] > 1 for A in matrices)


def _log_det(factor: Any) -> Any:
    """The logarithm of the determinant of ``L Lᵀ``."""
    return 2.0 * np.sum(np.log(np.diagonal(factor)))


def _lines(number: int) -> Any:
    """What is added to ``df / 2`` in multivariate gamma functions: ``-(i - 1)/2``."""
    return -0.5 * np.arange(number)


def _log_gamma(a: Any, n: int) -> Any:
    """The logarithm of the multivariate gamma function."""
    return 0.25 * n * (n - 1) * LOG_PI + np.sum(special.gammaln(a + _lines(n)))


# --- Student's distribution of vectors ---------------------------------------------------------------------


def _student_density(x, loc=None, shape=1, df=1):
    n = np.size(loc)
    if not _are_matrices(shape) or np.shape(shape)[0] != n or np.ndim(loc) != 1 or np.shape(x)[-1:] != (n,):
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
        return _squeezed(factor - 0.5 * _log_det(L) - half * np.log1p(squares / df), outer)

    return composition


def _student_entropy(loc=None, shape=1, df=1):
    if not _are_matrices(shape) or np.ndim(df) or np.isinf(df):
        return None
    n = len(shape)
    if _multivariate._PSD(shape).rank < n:  # noqa: SLF001 - SciPy's own judgement
        return None

    def composition(shape, df):
        half = 0.5 * (df + n)
        factor = special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * n * np.log(np.pi * df)
        slope = special.psi(half) - special.psi(0.5 * df)
        return half * slope - factor + 0.5 * _log_det(np.linalg.cholesky(shape))

    return composition


_rules(stats.multivariate_t, logpdf=_student_density, pdf=_exponential(_student_density))
_rules(stats.multivariate_t, 1, 3, entropy=_student_entropy)


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
        return _squeezed(y - _log_beta(alpha), shape)

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


_rules(stats.dirichlet, 0, 2, logpdf=_dirichlet_density, pdf=_exponential(_dirichlet_density))
_rules(
    stats.dirichlet,
    0,
    1,
    mean=_of_vector(lambda alpha: alpha / np.sum(alpha)),
    var=_of_vector(_dirichlet_variance),
    cov=_of_vector(_dirichlet_covariance),
    entropy=_of_vector(_dirichlet_entropy),
)


def _are_probabilities(p):
    """Whether numbers sum to one; of others SciPy changes the last, or refuses them."""
    return np.ndim(p) == 1 and np.size(p) > 1 and np.all(p > 0) and abs(np.sum(p) - 1.0) < 1e-15 * np.size(p)


def _are_counts(x, n):
    """Whether counts sum to their number; the probability of others is zero."""
    return np.ndim(x) > 0 and np.all(np.equal(np.floor(x), x) & np.greater_equal(x, 0)) and np.all(np.sum(x, -1) == n)


def _multinomial_mass(x, n, p):
    if not _are_probabilities(p) or not _are_counts(x, n):
        return None
    return lambda p: special.gammaln(np.add(n, 1.0)) + np.sum(
        special.xlogy(x, p) - special.gammaln(np.add(x, 1.0)), axis=-1
    )


def _multinomial_covariance(n, p):
    return (lambda p: n * (np.diag(p) - np.outer(p, p))) if _are_probabilities(p) and not np.ndim(n) else None


def _multinomial_mean(n, p):
    return (lambda p: n * p) if _are_probabilities(p) and not np.ndim(n) else None


_rules(stats.multinomial, 2, 3, logpmf=_multinomial_mass, pmf=_exponential(_multinomial_mass))
_rules(stats.multinomial, 1, 2, mean=_multinomial_mean, cov=_multinomial_covariance)


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


_rules(stats.dirichlet_multinomial, 1, 2, logpmf=_mixed_mass, pmf=_exponential(_mixed_mass))
_rules(
    stats.dirichlet_multinomial,
    0,
    1,
    mean=_scaled(_of_vector(lambda alpha: alpha / np.sum(alpha)), lambda n, total: n),
    var=_scaled(_of_vector(_dirichlet_variance), _spread),
    cov=_scaled(_of_vector(_dirichlet_covariance), _spread),
)


# --- Wishart's distributions of matrices -------------------------------------------------------------------


def _wishart_density(x, df, scale):
    if not _are_matrices(x, scale) or np.ndim(df):
        return None
    n = len(scale)

    def composition(x, df=df, scale=scale):
        factor, points = np.linalg.cholesky(scale), np.linalg.cholesky(x)
        trace = np.trace(np.linalg.solve(factor, np.transpose(np.linalg.solve(factor, x))))
        constant = 0.5 * df * (n * LOG_2 + _log_det(factor)) + _log_gamma(0.5 * df, n)
        return 0.5 * ((df - n - 1.0) * _log_det(points) - trace) - constant

    return composition


def _inverse_wishart_density(x, df, scale):
    if not _are_matrices(x, scale) or np.ndim(df):
        return None
    n = len(scale)

    def composition(x, df=df, scale=scale):
        factor, points = np.linalg.cholesky(scale), np.linalg.cholesky(x)
        trace = np.sum(np.linalg.solve(points, factor) ** 2)
        constant = 0.5 * df * (n * LOG_2 - _log_det(factor)) + _log_gamma(0.5 * df, n)
        return -0.5 * ((df + n + 1.0) * _log_det(points) + trace) - constant

    return composition


def _of_scale(compose: Any, least: Any) -> Any:
    """A composition of the degrees of freedom, which exceed a bound, and of a scale matrix of size `n`."""

    def read(df, scale):
        n = len(scale) if _are_matrices(scale) else 0
        return (lambda df, scale: compose(df, scale, n)) if n and not np.ndim(df) and df > least(n) else None

    return read


def _wishart_entropy(df, scale, n):
    slopes = np.sum(special.psi(0.5 * df + _lines(n)))
    constant = _log_gamma(0.5 * df, n) - 0.5 * (df - n - 1.0) * slopes + 0.5 * df * n
    return 0.5 * (n + 1.0) * (_log_det(np.linalg.cholesky(scale)) + n * LOG_2) + constant


def _inverse_wishart_entropy(df, scale, n):
    slopes = np.sum(special.psi(0.5 * df + _lines(n)))
    constant = _log_gamma(0.5 * df, n) - 0.5 * (df + n + 1.0) * slopes + 0.5 * df * n
    return 0.5 * (n + 1.0) * (_log_det(np.linalg.cholesky(scale)) - n * LOG_2) + constant


def _outer_diagonal(scale):
    diagonal = np.diagonal(scale)
    return np.outer(diagonal, diagonal)


def _inverse_wishart_variance(df, scale, n):
    numerator = (df - n + 1.0) * scale**2 + (df - n - 1.0) * _outer_diagonal(scale)
    return numerator / ((df - n) * (df - n - 1.0) ** 2 * (df - n - 3.0))


_rules(stats.wishart, logpdf=_wishart_density, pdf=_exponential(_wishart_density))
_rules(
    stats.wishart,
    0,
    2,
    mean=_of_scale(lambda df, scale, n: df * scale, lambda n: n - 1),
    mode=_of_scale(lambda df, scale, n: (df - n - 1.0) * scale, lambda n: n + 1),
    var=_of_scale(lambda df, scale, n: df * (scale**2 + _outer_diagonal(scale)), lambda n: n - 1),
    entropy=_of_scale(_wishart_entropy, lambda n: n - 1),
)
_rules(stats.invwishart, logpdf=_inverse_wishart_density, pdf=_exponential(_inverse_wishart_density))
_rules(
    stats.invwishart,
    0,
    2,
    mean=_of_scale(lambda df, scale, n: scale / (df - n - 1.0), lambda n: n + 1),
    mode=_of_scale(lambda df, scale, n: scale / (df + n + 1.0), lambda n: n - 1),
    var=_of_scale(_inverse_wishart_variance, lambda n: n + 3),
    entropy=_of_scale(_inverse_wishart_entropy, lambda n: n - 1),
)
for _distribution in (stats.wishart, stats.invwishart):
    not_reparameterized(
        type(_distribution).rvs,
        type(_distribution),
        "the number of the degrees of freedom is a shape parameter of the chi-square variables that the sample "
        "is made of. By the scale alone, write `L @ wishart.rvs(df, np.eye(n)) @ L.T` with the Cholesky factor "
        "`L` of the scale",
    )


# --- The normal distribution of matrices -------------------------------------------------------------------


def _matrix_density(X, mean=None, rowcov=1, colcov=1):
    if not _are_matrices(rowcov, colcov) or np.ndim(mean) != 2 or np.shape(X)[-2:] != np.shape(mean):
        return None
    (m, n), outer = np.shape(mean), np.shape(X)[:-2]

    def composition(X, mean=mean, rowcov=rowcov, colcov=colcov):
        rows, columns = np.linalg.cholesky(rowcov), np.linalg.cholesky(colcov)
        half = np.swapaxes(np.linalg.solve(rows, X - mean), -1, -2)
        squares = np.sum(np.linalg.solve(columns, half) ** 2, axis=(-2, -1))
        log_dets = n * _log_det(rows) + m * _log_det(columns)
        return _squeezed(-0.5 * (m * n * (LOG_2 + LOG_PI) + log_dets + squares), outer)

    return composition


def _matrix_entropy(rowcov=1, colcov=1):
    if not _are_matrices(rowcov, colcov):
        return None
    m, n = len(rowcov), len(colcov)

    def composition(rowcov, colcov):
        log_dets = n * _log_det(np.linalg.cholesky(rowcov)) + m * _log_det(np.linalg.cholesky(colcov))
        return 0.5 * (m * n * (LOG_2 + LOG_PI + 1.0) + log_dets)

    return composition


_rules(stats.matrix_normal, logpdf=_matrix_density, pdf=_exponential(_matrix_density))
_rules(stats.matrix_normal, 0, 2, entropy=_matrix_entropy)


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


_rules(stats.vonmises_fisher, logpdf=_direction_density, pdf=_exponential(_direction_density))
_rules(stats.vonmises_fisher, 1, 2, entropy=_direction_entropy)


# --- A normal mean with its variance -----------------------------------------------------------------------


def _mean_and_variance_density(x, s2, mu=0, lmbda=1, a=1, b=1):  # noqa: PLR0913, PLR0917 - those of SciPy
    if not all(np.all(np.greater(part, 0.0)) for part in (s2, lmbda, a, b)):
        return None

    def composition(x, s2, mu=mu, lmbda=lmbda, a=a, b=b):  # noqa: PLR0913, PLR0917 - those of SciPy
        factor = 0.5 * (np.log(lmbda) - LOG_2 - LOG_PI) + a * np.log(b) - special.gammaln(a)
        return factor - (a + 1.5) * np.log(s2) - (b + 0.5 * lmbda * (x - mu) ** 2) / s2

    return composition


_rules(
    stats.normal_inverse_gamma,
    logpdf=_mean_and_variance_density,
    pdf=_exponential(_mean_and_variance_density),
)


# --- Distributions that hold their parameters --------------------------------------------------------------


@rule_maker
def _frozen_rules(distribution: Any, fields: Any, *names: str) -> None:
    """Define the rules of methods of frozen distributions by those of the distribution itself."""
    frozen = getattr(_multivariate, type(distribution).__name__.replace("_gen", "_frozen"))
    for name in names:
        _frozen_rule(frozen, getattr(frozen, name), getattr(type(distribution), name), fields)


@rule_maker
def _frozen_rule(owner: Any, method: Any, unfrozen: Any, fields: Any) -> None:
    def frozen_frule(tangents: Any, f: typeof_(method), self: owner, *args: Any) -> Any:
        own = tangents[1]
        dots = [own if isinstance(own, AbstractZero) else getattr(own, field) for field in fields]
        parameters = (getattr(self, field) for field in fields)
        return frule((NO_TANGENT, NO_TANGENT, *tangents[2:], *dots), unfrozen, self._dist, *args, *parameters)

    def frozen_rrule(f: typeof_(method), self: owner, *args: Any) -> Any:
        answer = rrule(unfrozen, self._dist, *args, *(getattr(self, field) for field in fields))
        if answer is None:
            return None
        y, pullback = answer

        def frozen_pullback(y_bar: Any) -> Any:
            bars = pullback(y_bar)[2:]
            kind: Any = Tangent[owner]  # type: ignore[misc] # made at run time
            own = kind(**dict(zip(fields, bars[len(args) :], strict=True)))
            return NO_TANGENT, own, *bars[: len(args)]

        return y, frozen_pullback

    define(frozen_frule, frozen_rrule)


_DENSITIES, _MASSES = ("logpdf", "pdf"), ("logpmf", "pmf")
_frozen_rules(stats.multivariate_t, ("loc", "shape", "df"), *_DENSITIES, "entropy")
_frozen_rules(stats.dirichlet, ("alpha",), *_DENSITIES, "mean", "var", "cov", "entropy")
_frozen_rules(stats.multinomial, ("n", "p"), *_MASSES, "mean", "cov")
_frozen_rules(stats.dirichlet_multinomial, ("alpha", "n"), *_MASSES, "mean", "var", "cov")
_frozen_rules(stats.wishart, ("df", "scale"), *_DENSITIES, "mean", "mode", "var", "entropy")
_frozen_rules(stats.invwishart, ("df", "scale"), *_DENSITIES, "mean", "mode", "var", "entropy")
_frozen_rules(stats.matrix_normal, ("mean", "rowcov", "colcov"), *_DENSITIES)
_frozen_rules(stats.vonmises_fisher, ("mu", "kappa"), *_DENSITIES, "entropy")
