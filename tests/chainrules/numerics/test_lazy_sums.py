"""SciPy's sums of exponentials, for lazy arrays."""

import numpy as np
import pytest
from scipy import special

from chainrules.numerics.lazy_sums import by_numpy_if_lazy, lazy_log_softmax, lazy_logsumexp, lazy_softmax
from tests.chainrules.lazy_checks import lazily, nothing_computed

A = np.random.default_rng(0).normal(size=(6, 3))
LARGE = np.array([[1000.0, 1000.0], [-1000.0, 0.0], [-np.inf, 0.0]])
PAIRS = [
    (lazy_logsumexp, special.logsumexp),
    (lazy_softmax, special.softmax),
    (lazy_log_softmax, special.log_softmax),
]


@pytest.mark.parametrize(("lazy", "own"), PAIRS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_values(lazy, own, axis):
    """They are SciPy's, by any axis."""
    pytest.importorskip("dask.array")
    with nothing_computed():
        y = lazy(lazily(A), axis=axis)
    np.testing.assert_allclose(y.compute(scheduler="synchronous"), own(A, axis=axis), rtol=1e-13)


def test_large_numbers():
    """Nothing overflows, and infinite terms count as in SciPy."""
    np.testing.assert_allclose(lazy_logsumexp(LARGE, axis=1), special.logsumexp(LARGE, axis=1))
    np.testing.assert_allclose(lazy_softmax(LARGE, axis=1), special.softmax(LARGE, axis=1))
    np.testing.assert_allclose(lazy_log_softmax(LARGE, axis=1), special.log_softmax(LARGE, axis=1))
    assert lazy_logsumexp(np.array([np.inf, 0.0])) == np.inf
    assert lazy_logsumexp(A, axis=(0, 1), keepdims=True).shape == (1, 1)


def test_options_that_are_refused():
    """Weights, and signs."""
    for options in ({"b": 2.0}, {"return_sign": True}):
        with pytest.raises(TypeError, match="lazy"):
            lazy_logsumexp(A, **options)


def test_the_choice():
    """Lazy arrays go to one function, all others to the other."""
    choose = by_numpy_if_lazy(lambda x, n: ("memory", n), lambda x, n: ("lazy", n))

    assert choose(A, 1) == ("memory", 1)
    pytest.importorskip("dask.array")
    assert choose(lazily(A), n=2) == ("lazy", 2)
