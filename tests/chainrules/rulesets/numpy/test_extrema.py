"""The rules of extrema of pairs, against finite differences, and their conventions."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule, unthunk
from tests.chainrules.rule_checks import check_elementwise, check_rule, within

NAN, INF = np.nan, np.inf
EXTREMA = [np.maximum, np.minimum, np.fmax, np.fmin]


@pytest.mark.parametrize("f", EXTREMA, ids=lambda f: f.__name__)
def test_away_from_ties(f):
    """On pairs of numbers of which the first is smaller, or of which the second is."""
    check_elementwise(f, within(0.0, 1.0), within(1.0, 2.0))
    check_elementwise(f, within(1.0, 2.0), within(0.0, 1.0))


@pytest.mark.parametrize("f", EXTREMA, ids=lambda f: f.__name__)
def test_complex_numbers(f):
    """NumPy orders them by the real part first."""
    check_rule(f, np.array([1 + 2j, 3 - 1j]), np.array([2 + 1j, 2 + 5j]))


@pytest.mark.parametrize("value", [0.0, 1.0, -INF, INF])
@pytest.mark.parametrize("kind", [float, np.float64, np.array, lambda x: np.full(2, x)])
@pytest.mark.parametrize("f", EXTREMA, ids=lambda f: f.__name__)
def test_ties_share_equally(f, kind, value):
    """Each of two equal numbers gets one half, so that the sum of both is not lost or doubled."""
    x = kind(value)
    for x_bar in rrule(f, x, x)[1](np.ones(np.shape(x))[()])[1:]:
        np.testing.assert_array_equal(x_bar, np.full(np.shape(x), 0.5))
    dots = (NoTangent(), np.full(np.shape(x), 1.0)[()], np.full(np.shape(x), 3.0)[()])
    np.testing.assert_array_equal(frule(dots, f, x, x)[1], np.full(np.shape(x), 2.0))


@pytest.mark.parametrize(
    ("f", "shares"),
    [
        (np.maximum, [1.0, 0.0, 0.5]),
        (np.minimum, [1.0, 0.0, 0.5]),
        (np.fmax, [0.0, 1.0, 0.5]),
        (np.fmin, [0.0, 1.0, 0.5]),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_nan(f, shares):
    """What the result is gets the cotangent: the NaN in `maximum`, the number in `fmax`."""
    x, y = np.array([NAN, 1.0, NAN]), np.array([1.0, NAN, NAN])

    _, x_bar, y_bar = rrule(f, x, y)[1](np.ones(3))

    np.testing.assert_array_equal(x_bar, shares)
    np.testing.assert_array_equal(y_bar, 1 - np.array(shares))


@pytest.mark.parametrize("n", [3, 2000])
@pytest.mark.parametrize("f", EXTREMA, ids=lambda f: f.__name__)
def test_nothing_is_left_of_infinite_cotangents(f, n):
    """The loser gets zero, whatever the winner gets; each in its own precision."""
    x, y = np.full(n, 1.0), np.full(n, 2.0, dtype=np.float32)
    z_bar = np.full(n, INF)

    for first, second in ((x, y), (y, x), (x, y.astype(float))):
        bars = rrule(f, first, second)[1](z_bar)[1:]
        for operand, bar in zip((first, second), map(unthunk, bars), strict=True):
            np.testing.assert_array_equal(bar, np.where(f(x, y) == operand, INF, 0))
            assert bar.dtype == operand.dtype


@pytest.mark.parametrize("f", EXTREMA, ids=lambda f: f.__name__)
def test_single_precision_is_kept(f):
    """In both modes, although the shares are made from truth values."""
    x, y = np.array([1.0, 2.0, 3.0], dtype=np.float32), np.float32(2.0)
    _, x_bar, y_bar = rrule(f, x, y)[1](np.ones(3, dtype=np.float32))

    assert np.asarray(x_bar).dtype == np.asarray(y_bar).dtype == np.float32
    assert frule((NoTangent(), x, y), f, x, y)[1].dtype == np.float32


@pytest.mark.parametrize("f", EXTREMA, ids=lambda f: f.__name__)
def test_loser_gets_nothing(f):
    """Not even NaN from an infinite cotangent, as that of the root of ``maximum(x, 0)``."""
    x, y = np.array([1.0, 2.0]), np.array([2.0, 1.0])

    _, x_bar, y_bar = rrule(f, x, y)[1](np.full(2, INF))

    np.testing.assert_array_equal(x_bar + y_bar, np.full(2, INF))
    assert frule((NoTangent(), INF, 0.0), f, 1.0, 2.0)[1] in (0.0, INF)
    assert frule((NoTangent(), 0.0, INF), f, 1.0, 2.0)[1] in (0.0, INF)
