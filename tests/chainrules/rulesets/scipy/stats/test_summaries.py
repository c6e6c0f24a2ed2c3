"""Rules of summaries of samples."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian
from chainrules_core import frule, rrule, unthunk
from chainrules_testutils import jacobian, test_frule, test_rrule

rng = np.random.default_rng(5)
# Positive numbers, none of which are near 0 or equal.
A, B = rng.gamma(3.0, 1.0, (4, 3)) + 0.2, rng.gamma(3.0, 1.0, (4, 3)) + 0.2
V = np.array([-1.3, -0.2, 0.4, 2.5])

CASES = [
    (stats.gmean, (A,), {}),
    (stats.gmean, (A, 1), {"keepdims": True}),
    (stats.hmean, (A,), {"axis": None}),
    (stats.pmean, (A, 2.5), {"axis": 1}),
    (stats.zscore, (A,), {}),
    (stats.zscore, (A, None, 1), {}),
    (stats.gzscore, (A,), {"axis": 1}),
    (stats.zmap, (A, B), {}),
    (stats.sem, (A,), {"ddof": 0}),
    (stats.gstd, (A,), {}),
    (stats.variation, (A,), {"axis": 1}),
    (stats.moment, (A, 3), {}),
    (stats.moment, (A, 2), {"center": 0.5}),
    (stats.skew, (A,), {}),
    (stats.skew, (A,), {"bias": False}),
    (stats.kurtosis, (A,), {"axis": None}),
    (stats.kurtosis, (A,), {"bias": False, "fisher": False}),
    (stats.boxcox, (A[:, 0], 0.3), {}),
    (stats.yeojohnson, (V, 0.3), {}),
    (stats.entropy, (A,), {"base": 2}),
]


@pytest.mark.parametrize(("f", "args", "options"), CASES)
def test_rules(f, args, options):
    """Along each axis, and with each option."""
    test_frule(f, *args, fkwargs=options)
    test_rrule(f, *args, fkwargs=options)


@pytest.mark.parametrize("f", [stats.zscore, stats.skew, stats.gmean])
def test_second_order(f):
    """Of the rules' own code."""

    def program(v):
        return np.sum(f(v) * np.arange(1.0, 5.0))

    expected = jacobian(None, grad(program), A[:, 0])[0].reshape(4, 4)
    np.testing.assert_allclose(hessian(program)(A[:, 0]), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (stats.gmean, (np.array([1.0, 2.0]),), {"weights": np.array([1.0, 3.0])}),
        (stats.gmean, (np.array([0.0, 2.0]),), {}),
        (stats.hmean, (np.array([0.0, 2.0]),), {}),
        (stats.pmean, (np.array([1.0, 2.0]), 0), {}),
        (stats.zscore, (np.ones(3),), {}),
        (stats.skew, (A,), {"nan_policy": "omit"}),
        (stats.moment, (A, 1), {}),
        (stats.boxcox, (A[:, 0],), {}),
        (stats.zscore, (A + 1j,), {}),
        (stats.entropy, (A, B), {}),
    ],
)
def test_left_to_scipy(f, args, options):
    """Calls for which the composition is not the definition, or not smooth."""
    assert rrule(f, *args, **options) is None


def test_kinds():
    """Cotangents have the precision of their arguments; results are SciPy's."""
    x = A.astype(np.float32)
    y, pullback = rrule(stats.zscore, x)
    np.testing.assert_array_equal(y, stats.zscore(x))
    assert unthunk(pullback(y)[1]).dtype == np.float32
    y, pullback = rrule(stats.skew, np.arange(5) ** 2)
    assert y == stats.skew(np.arange(5) ** 2)
    assert frule((None, np.zeros((4, 3))), stats.gmean, A)[1].shape == (3,)
    assert rrule(stats.zscore, np.zeros(0)) is None
