"""The rules of exponents and logarithms, against finite differences."""

import linecache

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.rulesets.numpy import exponents
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import positive
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, within

HOLOMORPHIC = {
    np.exp: anywhere,
    np.exp2: anywhere,
    np.expm1: anywhere,
    np.log: positive,
    np.log2: positive,
    np.log10: positive,
    np.log1p: within(-0.5, 2.0),
}


@pytest.mark.parametrize("f", HOLOMORPHIC, ids=lambda f: f.__name__)
def test_holomorphic(f):
    """On real and complex numbers and arrays, away from poles."""
    check_elementwise(f, HOLOMORPHIC[f], complex_numbers=True)


@pytest.mark.parametrize("f", [np.logaddexp, np.logaddexp2], ids=lambda f: f.__name__)
def test_sums_of_exponentials(f):
    """On pairs of real numbers and arrays."""
    check_elementwise(f, anywhere, anywhere)


@pytest.mark.parametrize("f", [np.log, np.log2, np.log10], ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", [float, int, np.float64, np.array, lambda x: np.full(2, x)])
def test_slope_at_a_pole(f, kind):
    """It is infinite, not an error; a zero tangent is strong: what is not perturbed does not move."""
    x = kind(0)
    with np.errstate(divide="ignore"):  # the primal's own warning
        y, pullback = rrule(f, x)
        ones, zeros = np.ones_like(y), np.zeros_like(y)
        assert np.all(pullback(ones[()])[1] == np.inf)
        assert not np.any(pullback(zeros[()])[1])
        assert not np.any(frule((NoTangent(), zeros[()]), f, x)[1])


def test_small_slopes_are_precise():
    """Where ``expm1(x) + 1`` is 0, its slope is not."""
    assert rrule(np.expm1, -40.0)[1](1.0)[1] == pytest.approx(np.exp(-40.0), rel=1e-14, abs=0.0)


INF = np.inf


@pytest.mark.parametrize("f", [np.logaddexp, np.logaddexp2], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("x", "y", "shares"),
    [
        (-INF, -INF, (0.5, 0.5)),
        (INF, INF, (0.5, 0.5)),
        (INF, 1.0, (1.0, 0.0)),
        (1.0, INF, (0.0, 1.0)),
        (-INF, 1.0, (0.0, 1.0)),
        (INF, -INF, (1.0, 0.0)),
        (1.0, 1.0, (0.5, 0.5)),
        (1e20, 1e20, (0.5, 0.5)),
        (800.0, 0.0, (1.0, 0.0)),
    ],
)
def test_shares_of_infinities(f, x, y, shares):
    """They sum to one, without NaN and without a warning; equal infinities share equally."""
    assert tuple(rrule(f, x, y)[1](1.0)[1:]) == pytest.approx(shares)
    for x_bar, share in zip(rrule(f, np.array([x]), np.array([y]))[1](np.ones(1))[1:], shares, strict=True):
        np.testing.assert_allclose(x_bar, [share], atol=1e-200)
    assert frule((NoTangent(), 1.0, 1.0), f, x, y)[1] == pytest.approx(1.0)


def test_second_derivative_of_equal_numbers():
    """The convention for infinities does not touch finite ties: ``p (1 - p) = 1/4``."""
    assert grad(grad(lambda x: np.logaddexp(x, 1.0)))(1.0) == pytest.approx(0.25)
    assert grad(grad(lambda x: np.logaddexp(x, -INF)))(1.0) == 0.0


def test_far_from_the_origin():
    """On numbers whose exponentials overflow; small shares are precise."""
    check_rule(np.logaddexp, np.array([1000.3, -1000.2]), np.array([1000.1, -1000.4]))
    assert rrule(np.logaddexp, -1040.0, -1000.0)[1](1.0)[1] == pytest.approx(np.exp(-40.0), rel=1e-13, abs=0)


def test_warnings_point_at_the_rule():
    """NumPy's warning of an invalid value shows the line that defines the rule of the logarithm."""
    with pytest.warns(RuntimeWarning, match="invalid value") as caught:
        rrule(np.log, -1.0)
    assert caught[0].filename == exponents.__file__
    assert linecache.getline(caught[0].filename, caught[0].lineno).startswith("scalar_rule(np.log, ")
