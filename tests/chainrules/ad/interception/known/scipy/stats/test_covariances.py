"""The multivariate normal distribution, by its covariance matrix."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian, jvp
from chainrules_core import primal_of
from chainrules_testutils import jacobian, positive_definite

rng = np.random.default_rng(0)
X, MEAN, COV = rng.normal(size=(4, 3)), np.array([0.1, 0.2, -0.3]), positive_definite(3, rng=0)
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0])
normal = stats.multivariate_normal

PROGRAMS = {
    "covariance": (lambda cov: WEIGHTS @ normal.logpdf(X, MEAN, cov), COV),
    "equal eigenvalues": (lambda cov: WEIGHTS @ normal.logpdf(X, MEAN, cov), np.eye(3)),
    "mean": (lambda mean: WEIGHTS @ normal.logpdf(X, mean, COV), MEAN),
    "points": (lambda x: WEIGHTS @ normal.logpdf(x, cov=COV, mean=MEAN), X),
    "density": (lambda cov: WEIGHTS @ normal.pdf(X, mean=MEAN, cov=cov), COV),
    "variance": (lambda v: WEIGHTS @ normal.logpdf(X, MEAN, v[0]), np.array([1.3])),
    "variances": (lambda v: WEIGHTS @ normal.logpdf(X, MEAN, v), np.array([1.3, 0.7, 2.0])),
    "one point": (lambda cov: normal.logpdf(X[0], MEAN, cov), COV),
    "one dimension": (lambda v: np.sum(normal.logpdf(X[0], v[0], v[1])), np.array([0.2, 1.4])),
    "frozen": (lambda cov: WEIGHTS @ normal(MEAN, cov).logpdf(X), COV),
    "frozen density": (lambda cov: WEIGHTS @ normal(mean=MEAN, cov=cov).pdf(X), COV),
    "frozen mean": (lambda mean: WEIGHTS @ normal(mean, COV).logpdf(X), MEAN),
    "frozen variances": (
        lambda v: WEIGHTS @ normal(MEAN, stats.Covariance.from_diagonal(v)).logpdf(X),
        np.array([1.3, 0.7, 2.0]),
    ),
    "entropy": (lambda cov: normal(MEAN, cov).entropy(), COV),
    "Student": (lambda cov: np.sum(stats.multivariate_t.logpdf(X, MEAN, cov, df=4)), COV),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(name):
    """Both modes, and the second order, against finite differences, which vary the triangle that is read."""
    f, v = PROGRAMS[name]
    g = grad(f)(v)
    np.testing.assert_allclose(g.ravel(), jacobian(None, f, v)[0].ravel(), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (v,), (np.ones_like(v),))[1], np.sum(g))
    expected = jacobian(None, grad(f), v)[0].reshape(*v.shape, *v.shape)
    np.testing.assert_allclose(hessian(f)(v), expected, rtol=1e-6, atol=1e-8)


def test_values():
    """SciPy's, up to rounding."""
    seen = []
    grad(lambda cov: seen.append(normal.logpdf(X, MEAN, cov)) or np.sum(seen[0]))(COV)
    np.testing.assert_allclose(primal_of(seen[0]), normal.logpdf(X, MEAN, COV), rtol=1e-13)


def test_singular():
    """The density on a subspace has a derivative by the mean, and none by the matrix."""
    cov = np.ones((3, 3))
    by_mean = grad(lambda mean: normal.logpdf(np.ones(3), mean, cov, allow_singular=True))(np.zeros(3))
    np.testing.assert_allclose(by_mean, np.full(3, 1 / 3))
    frozen = grad(lambda mean: normal(mean, cov, allow_singular=True).logpdf(np.ones(3)))(np.zeros(3))
    np.testing.assert_array_equal(frozen, by_mean)
    with pytest.raises(np.linalg.LinAlgError, match="has rank 1 of 3"):
        grad(lambda cov: normal.logpdf(np.ones(3), None, cov, allow_singular=True))(cov)
    with pytest.raises(np.linalg.LinAlgError, match="must be symmetric positive definite"):
        grad(lambda cov: normal.logpdf(np.ones(3), None, cov))(cov)


def test_constants():
    """Without a traced matrix all is SciPy's, of singular matrices too."""
    for x, cov in ((X[0], COV), (np.ones(3), np.ones((3, 3)))):
        value = normal.logpdf(x, None, cov, allow_singular=True)
        assert (
            grad(lambda a, x=x, cov=cov: a * normal.logpdf(x, None, cov, allow_singular=True))(2.0) == value
        )
