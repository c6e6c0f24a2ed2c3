"""Rules of the functions without a public name by which distributions are computed."""

import numpy as np
import pytest
from scipy.special import _ufuncs

from chainrules.ad import grad
from chainrules.makers.versions import is_scipy_since
from chainrules_core import NoTangent, rrule, unthunk
from chainrules_testutils import jacobian, test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double

a, b = np.array([0.7, 3.5]), np.array([2.2, 1.3])
p = np.array([0.3, 0.8])
k = np.array([[0], [2]])


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (_ufuncs._beta_pdf, (p, a, b)),
        (_ufuncs._beta_ppf, (p, a, b)),
        (_ufuncs._cauchy_ppf, (p, 0.3, b)),
        (_ufuncs._cauchy_isf, (p, 0.3, b)),
        (_ufuncs._skewnorm_cdf, (p, 0.3, b, a)),
        (_ufuncs._skewnorm_ppf, (p, 0.3, b, a)),
        (_ufuncs._skewnorm_isf, (p, 0.3, b, a)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_continuous(f, args):
    """Of first and second order; quantiles of the skewed normal are SciPy's to nine digits."""
    if "skewnorm" in f.__name__ and "cdf" not in f.__name__:
        slopes = [
            unthunk(bar) for bar in rrule(_ufuncs._skewnorm_cdf, f(*args), *args[1:])[1](np.ones(2))[1:]
        ]
        bars = [unthunk(bar) for bar in rrule(f, *args)[1](slopes[0])[1:]]
        sign = 1 if "ppf" in f.__name__ else -1
        np.testing.assert_allclose(bars[0], sign * np.ones(2))
        np.testing.assert_allclose(bars[2:], [-slope for slope in slopes[2:]])
        test_rrule(f, *args, rtol=1e-5)
    else:
        check_rule_in_double(f, *args)


@pytest.mark.parametrize("name", ["pmf", "cdf", "sf"])
def test_discrete(name):
    """By the probability, and of failures by the number that ends a run, which need not be whole."""
    for f, args in (
        (getattr(_ufuncs, f"_binom_{name}"), (k, 6, p)),
        (getattr(_ufuncs, f"_nbinom_{name}"), (k, np.array([2.5, 4.0]), p)),
    ):
        test_frule(f, *args)
        test_rrule(f, *args)
    f = getattr(_ufuncs, f"_binom_{name}")
    assert unthunk(rrule(f, 2, 6, 0.4)[1](1.0)[2]) == NoTangent()
    g = getattr(_ufuncs, f"_nbinom_{name}")
    slope = grad(lambda p: f(2, 6, p) + g(2, 2.5, p))
    assert grad(slope)(0.4) == pytest.approx(jacobian(None, slope, 0.4)[0].item(), rel=1e-8)
    slope = grad(lambda n: g(2, n, 0.4))
    assert grad(slope)(2.5) == pytest.approx(jacobian(None, slope, 2.5)[0].item(), rel=1e-8)


@pytest.mark.parametrize(("p", "expected"), [(0.0, (-4.0, 4.0, 0.0)), (1.0, (0.0, 0.0, 0.0))])
def test_certain_events(p, expected):
    """Polynomials have derivatives at both ends, of all orders."""
    slopes = [grad(lambda p, k=k: _ufuncs._binom_pmf(k, 4, p))(p) for k in range(3)]
    np.testing.assert_allclose(slopes, expected)
    curvature = grad(grad(lambda p: _ufuncs._binom_pmf(2, 2, p)))(p)
    assert curvature == pytest.approx(2.0)
    slope, h = grad(lambda p: np.sum(_ufuncs._binom_pmf(np.arange(3), 2, p) * [1.0, 4.0, 2.0])), 1e-4
    inside = abs(p - h)  # beside the end
    by_differences = (slope(inside + h / 2) - slope(inside - h / 2)) / h
    assert grad(slope)(inside) == pytest.approx(by_differences, rel=1e-6)
    assert grad(lambda p: _ufuncs._nbinom_pmf(1, 3.0, p))(1.0) == pytest.approx(-3.0)


def test_constants():
    """Quantiles of discrete distributions jump."""
    for name in ("_binom_ppf", "_binom_isf", "_nbinom_ppf", "_nbinom_isf"):
        assert rrule(getattr(_ufuncs, name), 0.3, 6, 0.4)[1](1.0)[1:] == (NoTangent(),) * 3


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *(
            (f"_{name}_{method}", (0.3, 6.0, 0.4))
            for name in ("binom", "nbinom")
            for method in ("ppf", "isf")
        ),
        *((f"_skewnorm_{method}", (0.3, 0.0, 1.0, 1.2)) for method in ("ppf", "isf")),
        *((f"_nct_{method}", (0.7, 3.0, 0.5)) for method in ("pdf", "sf", "isf")),
    ],
)
def test_by_differences(name, args):
    """Of discrete distributions quantiles are constant between jumps; of others by every argument."""
    f = getattr(_ufuncs, name, None)
    if f is None:
        pytest.skip("SciPy computes it in another way")
    test_frule(f, *args)
    test_rrule(f, *args)


@pytest.mark.skipif(not is_scipy_since(1, 16), reason="older versions have a function in Python")
def test_logarithms_of_complements():
    """Near zero, and far from it."""
    check_rule_in_double(_ufuncs._log1mexp, np.array([-0.3, -3.0, -1000.0]))
