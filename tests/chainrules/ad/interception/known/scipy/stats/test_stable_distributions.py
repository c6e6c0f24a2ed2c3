"""Stable distributions with a closed formula."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp

X = np.array([0.3, 1.2])


@pytest.mark.parametrize(
    ("alpha", "beta", "known"), [(1.0, 0.0, stats.cauchy), (2.0, 0.5, stats.norm(0, np.sqrt(2)))]
)
def test_closed_formulas(alpha, beta, known):
    """Derivatives by the variable are those of the known distribution; those by shapes are not known."""
    for name in ("pdf", "cdf"):
        f = getattr(stats.levy_stable, name)
        slopes = grad(lambda x, f=f: np.sum(f(x, alpha, beta)))(X)
        expected = grad(lambda x, name=name: np.sum(getattr(known, name)(x)))(X)
        np.testing.assert_allclose(slopes, expected, rtol=1e-10)
        assert np.isnan(grad(lambda a, f=f: np.sum(f(X, a, beta)))(alpha))
        assert np.isnan(jvp(lambda b, f=f: np.sum(f(X, alpha, b)), (beta,), (1.0,))[1])


def test_others():
    """There SciPy integrates."""
    with pytest.raises((TypeError, LookupError)):
        grad(lambda a: np.sum(stats.levy_stable.pdf(X, a, 0.5)))(1.5)
