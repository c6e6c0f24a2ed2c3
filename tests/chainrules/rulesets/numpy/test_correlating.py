"""The rules of covariances and correlations, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal, positive

X = normal(3, 4)
VECTOR = normal(4, seed=1)
TIMES = np.array([1, 2, 3, 1])
WEIGHTS = positive(4)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((X,), {}),
        ((X, None, False), {}),
        ((X,), {"bias": True}),
        ((X,), {"ddof": 2}),
        ((X, VECTOR), {}),
        ((X, normal(2, 4, seed=2)), {"bias": True}),
        ((X, normal(3, 2, seed=2), False), {}),
        ((VECTOR,), {}),
        ((VECTOR, VECTOR**2), {}),
        ((VECTOR,), {"rowvar": False}),
        ((normal(3, 2),), {}),
        ((normal(3, 4, dtype=complex),), {}),
        ((normal(3, 4, dtype=complex), VECTOR), {}),
        ((X.astype(np.float32),), {"dtype": np.float64}),
        ((np.arange(6).reshape(2, 3) ** 2,), {}),
    ],
)
def test_cov(args, options):
    """Variables in rows and columns, in one argument and in two, real and complex."""
    check_rule(np.cov, *args, **options)


def test_cov_of_a_single_row():
    """A second argument with one row is a variable, whatever `rowvar` says."""
    check_rule(np.cov, normal(4, 2), normal(1, 4, seed=1), rowvar=False)


@pytest.mark.parametrize(
    "args",
    [
        (X, None, True, False, None, TIMES, WEIGHTS),
        (X, None, True, True, None, None, WEIGHTS),
        (X, VECTOR, True, False, 2, TIMES, WEIGHTS),
        (X, None, True, False, None, TIMES),
        (normal(2, 4, dtype=complex), None, True, False, None, None, WEIGHTS),
    ],
)
def test_cov_with_weights(args):
    """By the observations and by the analytic weights; frequencies are integers."""
    check_rule(np.cov, *args)


def test_cov_with_weights_by_keyword():
    """They weigh, and get no cotangent."""
    check_rule(np.cov, X, fweights=TIMES, aweights=WEIGHTS)
    check_rule(np.cov, X, fweights=TIMES.tolist(), aweights=WEIGHTS.tolist())


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((X,), {}),
        ((X, VECTOR), {}),
        ((VECTOR, VECTOR**2), {}),
        ((VECTOR,), {}),
        ((normal(2, 4, dtype=complex),), {}),
        ((normal(4, 2), normal(4, 2, seed=1)), {"rowvar": False}),
        ((X.astype(np.float32),), {"dtype": np.float64}),
        ((X,), {"dtype": np.float32}),
    ],
)
def test_corrcoef(args, options):
    """Correlations of variables in rows and columns; those with themselves are one whatever happens."""
    check_rule(np.corrcoef, *args, **options)


@pytest.mark.parametrize("f", [np.cov, np.corrcoef])
def test_one_of_two_has_a_tangent(f):
    """The other's contribution is zero."""
    x, y = VECTOR, VECTOR**2

    both = frule((NoTangent(), np.ones(4) * x, ZeroTangent()), f, x, y)[1]
    np.testing.assert_allclose(both, frule((NoTangent(), x, np.zeros(4)), f, x, y)[1])


@pytest.mark.filterwarnings("ignore:Degrees of freedom", "ignore:divide by zero", "ignore:invalid value")
def test_cov_of_one_observation():
    """No degree of freedom is left; there is a cotangent for each element all the same."""
    assert rrule(np.cov, normal(2, 1))[1](np.ones((2, 2)))[1].shape == (2, 1)


def test_weights_of_short_integers():
    """NumPy takes them for floats: products do not wrap around."""
    weights = np.array([10, 50, 200], np.uint8)
    check_rule(np.cov, normal(2, 3), aweights=weights)
    check_rule(np.cov, normal(2, 3), aweights=weights, fweights=weights)
