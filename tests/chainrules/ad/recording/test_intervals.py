"""Results of NumPy's functions lie within the ranges that follow from those of the operands."""

import itertools
import operator

import numpy as np
import pytest

from chainrules.ad.recording.intervals import (
    OF_ONE,
    OF_TWO,
    add_up,
    divide,
    hull,
    in_single_precision,
    power,
    same,
)

RANGES = [(-2.0, 3.0), (0.5, 4.0), (-3.0, -1.5), (0.0, 0.0), (0.0, 2.0), (-500.0, 500.0)]


def numbers_in(x):
    """Numbers from one end of a range to the other."""
    return np.linspace(*x, 11)


@pytest.mark.parametrize("f", OF_ONE, ids=lambda f: f.__name__)
def test_one_operand(f):
    """Where there is a range, all results are in it, and NumPy warns of nothing."""
    known = []
    for x in RANGES:
        try:
            low, high = OF_ONE[f](x)
        except (ArithmeticError, ValueError):
            continue
        y = f(numbers_in(x))
        known.append(x)
        assert np.all((low <= y) & (y <= high))
    assert (0.5, 4.0) in known


@pytest.mark.parametrize("f", OF_TWO, ids=lambda f: f.__name__)
def test_two_operands(f):
    """For each pair of ranges, all results are in that of the result."""
    known = []
    for a, b in itertools.product(RANGES, RANGES):
        try:
            low, high = OF_TWO[f](a, b)
        except ArithmeticError:
            continue
        y = f(numbers_in(a)[:, None], numbers_in(b))
        known.append(b)
        assert np.all((low <= y) & (y <= high))
    assert (0.5, 4.0) in known
    assert f not in (np.divide, operator.truediv) or (0.0, 2.0) not in known


@pytest.mark.parametrize("p", [0, 1, 2, 3.0, np.float64(4.0)])
def test_powers(p):
    """Even powers are not negative, whatever the base is."""
    for x in RANGES:
        low, high = power(x, p)
        y = numbers_in(x) ** p
        assert np.all((low <= y) & (y <= high))
        assert low >= 0.0 or p % 2


@pytest.mark.parametrize("p", [-1, 0.5, np.nan, "2", 10**6])
def test_powers_that_may_not_be_finite(p):
    """Roots, inverses and high powers have no range."""
    with pytest.raises((ArithmeticError, ValueError)):
        power((-2.0, 3.0), p)


def test_sums():
    """A sum of positive numbers is at least the smallest, and one of none is zero."""
    assert add_up((0.5, 2.0), 1, 0.0)[0] == 0.5
    assert add_up((-2.0, -0.5), 1, 0.0)[1] == -0.5
    low, high = add_up((-1.0, 2.0), 10, 0.0)
    assert low <= -10.0
    assert high >= 20.0
    assert add_up((1.0, 2.0), 0, 0.0) == (0.0, 0.0)


def test_sums_in_single_precision():
    """Each addition of many is rounded, one after another to the same side."""
    x, rounding = np.full(2_000_000, 0.1, np.float32), float(np.finfo(np.float32).eps)
    total = float(np.cumsum(x)[-1])
    exact = len(x) * float(x[0])
    assert abs(total - exact) > 1e-6 * exact
    for sign in (1.0, -1.0):
        low, high = add_up((sign * float(x[0]),) * 2, len(x), rounding)
        assert low <= sign * total <= high


def test_single_precision():
    """A result is rounded to it, and to zero below its smallest numbers."""
    low, high = in_single_precision((0.1, 0.1))
    assert low < float(np.float32(0.1)) < high
    assert in_single_precision((1e-40, 1e-40))[0] == 0.0
    assert in_single_precision((-1e-40, 1.0))[0] <= -1e-40
    assert in_single_precision((0.0, 0.0)) == (0.0, 0.0)


def test_others():
    """Of one and of several ranges, and of a divisor that may be zero."""
    assert same((1.0, 2.0)) == (1.0, 2.0)
    assert hull((1.0, 2.0), (-1.0, 0.0)) == (-1.0, 2.0)
    with pytest.raises(ZeroDivisionError):
        divide((1.0, 2.0), (-1.0, 1.0))
