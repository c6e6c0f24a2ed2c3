"""Rules for distributions of matrices, by all real parameters: of Wishart, and the normal one.

Densities, entropies and moments are the compositions that their definitions are: A. K. Gupta and D. K. Nagar,
"Matrix Variate Distributions" (2000). Of a scale matrix the lower triangle is read for determinants and
inverses, as SciPy does it, and the cotangent stands there. Numbers and vectors for matrices, and several
points of Wishart's distributions, are left to SciPy's code.
"""

from typing import Any

import numpy as np
from scipy import special, stats
from scipy.stats import _multivariate

from chainrules.makers.reparameterization import not_reparameterized
from chainrules.makers.vector_distributions import (
    are_matrices,
    density_of,
    frozen_rules,
    log_det,
    method_rules,
    squeezed,
)

LOG_2, LOG_PI = np.log(2.0), np.log(np.pi)


def _lines(number: int) -> Any:
    """What is added to ``df / 2`` in multivariate gamma functions: ``-(i - 1)/2``."""
    return -0.5 * np.arange(number)


def _log_gamma(a: Any, n: int) -> Any:
    """The logarithm of the multivariate gamma function."""
    return 0.25 * n * (n - 1) * LOG_PI + np.sum(special.gammaln(a + _lines(n)))


# --- Wishart's distributions -------------------------------------------------------------------------------


def _wishart_density(x, df, scale):
    if not are_matrices(x, scale) or np.ndim(df):
        return None
    n = len(scale)

    def composition(x, df=df, scale=scale):
        factor, points = np.linalg.cholesky(scale), np.linalg.cholesky(x)
        trace = np.trace(np.linalg.solve(factor, np.transpose(np.linalg.solve(factor, x))))
        constant = 0.5 * df * (n * LOG_2 + log_det(factor)) + _log_gamma(0.5 * df, n)
        return 0.5 * ((df - n - 1.0) * log_det(points) - trace) - constant

    return composition


def _inverse_wishart_density(x, df, scale):
    if not are_matrices(x, scale) or np.ndim(df):
        return None
    n = len(scale)

    def composition(x, df=df, scale=scale):
        factor, points = np.linalg.cholesky(scale), np.linalg.cholesky(x)
        trace = np.sum(np.linalg.solve(points, factor) ** 2)
        constant = 0.5 * df * (n * LOG_2 - log_det(factor)) + _log_gamma(0.5 * df, n)
        return -0.5 * ((df + n + 1.0) * log_det(points) + trace) - constant

    return composition


def _of_scale(compose: Any, least: Any) -> Any:
    """A composition of the degrees of freedom, which exceed a bound, and of a scale matrix of size `n`."""

    def read(df, scale):
        n = len(scale) if are_matrices(scale) else 0
        return (lambda df, scale: compose(df, scale, n)) if n and not np.ndim(df) and df > least(n) else None

    return read


def _wishart_entropy(df, scale, n):
    slopes = np.sum(special.psi(0.5 * df + _lines(n)))
    constant = _log_gamma(0.5 * df, n) - 0.5 * (df - n - 1.0) * slopes + 0.5 * df * n
    return 0.5 * (n + 1.0) * (log_det(np.linalg.cholesky(scale)) + n * LOG_2) + constant


def _inverse_wishart_entropy(df, scale, n):
    slopes = np.sum(special.psi(0.5 * df + _lines(n)))
    constant = _log_gamma(0.5 * df, n) - 0.5 * (df + n + 1.0) * slopes + 0.5 * df * n
    return 0.5 * (n + 1.0) * (log_det(np.linalg.cholesky(scale)) - n * LOG_2) + constant


def _outer_diagonal(scale):
    diagonal = np.diagonal(scale)
    return np.outer(diagonal, diagonal)


def _inverse_wishart_variance(df, scale, n):
    numerator = (df - n + 1.0) * scale**2 + (df - n - 1.0) * _outer_diagonal(scale)
    return numerator / ((df - n) * (df - n - 1.0) ** 2 * (df - n - 3.0))


method_rules(stats.wishart, (0, None), logpdf=_wishart_density, pdf=density_of(_wishart_density))
method_rules(
    stats.wishart,
    (0, 2),
    mean=_of_scale(lambda df, scale, n: df * scale, lambda n: n - 1),
    mode=_of_scale(lambda df, scale, n: (df - n - 1.0) * scale, lambda n: n + 1),
    var=_of_scale(lambda df, scale, n: df * (scale**2 + _outer_diagonal(scale)), lambda n: n - 1),
    entropy=_of_scale(_wishart_entropy, lambda n: n - 1),
)
method_rules(
    stats.invwishart, (0, None), logpdf=_inverse_wishart_density, pdf=density_of(_inverse_wishart_density)
)
method_rules(
    stats.invwishart,
    (0, 2),
    mean=_of_scale(lambda df, scale, n: scale / (df - n - 1.0), lambda n: n + 1),
    mode=_of_scale(lambda df, scale, n: scale / (df + n + 1.0), lambda n: n - 1),
    var=_of_scale(_inverse_wishart_variance, lambda n: n + 3),
    entropy=_of_scale(_inverse_wishart_entropy, lambda n: n - 1),
)
for _distribution in (stats.wishart, stats.invwishart):
    not_reparameterized(
        type(_distribution).rvs,
        type(_distribution),
        "the degrees of freedom are a shape parameter of the chi-square variables that it is made of. "
        "By the scale alone, write `L @ X @ L.T` with the Cholesky factor `L` of the scale, where `X` is a "
        "sample for the scale `np.eye(n)`",
    )


# --- The normal distribution of matrices -------------------------------------------------------------------


def _matrix_density(X, mean=None, rowcov=1, colcov=1):
    if not are_matrices(rowcov, colcov) or np.ndim(mean) != 2 or np.shape(X)[-2:] != np.shape(mean):
        return None
    (m, n), outer = np.shape(mean), np.shape(X)[:-2]

    def composition(X, mean=mean, rowcov=rowcov, colcov=colcov):
        rows, columns = np.linalg.cholesky(rowcov), np.linalg.cholesky(colcov)
        half = np.swapaxes(np.linalg.solve(rows, X - mean), -1, -2)
        squares = np.sum(np.linalg.solve(columns, half) ** 2, axis=(-2, -1))
        log_dets = n * log_det(rows) + m * log_det(columns)
        return squeezed(-0.5 * (m * n * (LOG_2 + LOG_PI) + log_dets + squares), outer)

    return composition


def _matrix_entropy(rowcov=1, colcov=1):
    if not are_matrices(rowcov, colcov):
        return None
    m, n = len(rowcov), len(colcov)

    def composition(rowcov, colcov):
        log_dets = n * log_det(np.linalg.cholesky(rowcov)) + m * log_det(np.linalg.cholesky(colcov))
        return 0.5 * (m * n * (LOG_2 + LOG_PI + 1.0) + log_dets)

    return composition


method_rules(stats.matrix_normal, (0, None), logpdf=_matrix_density, pdf=density_of(_matrix_density))
method_rules(stats.matrix_normal, (0, 2), entropy=_matrix_entropy)


# --- Distributions that hold their parameters --------------------------------------------------------------

for _owner, _distribution in (
    (_multivariate.wishart_frozen, stats.wishart),
    (_multivariate.invwishart_frozen, stats.invwishart),
):
    frozen_rules(_owner, _distribution, ("df", "scale"), "logpdf", "pdf", "mean", "mode", "var", "entropy")
frozen_rules(
    _multivariate.matrix_normal_frozen, stats.matrix_normal, ("mean", "rowcov", "colcov"), "logpdf", "pdf"
)
