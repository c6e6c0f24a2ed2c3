"""A power series near a point, and a closed formula elsewhere."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.numbers.series_near_zero import series_where


def exponential_quotient(x):
    """``(exp(x) - 1) / x`` to first order near 0."""
    is_near = np.abs(x) < 1e-6
    with np.errstate(invalid="ignore"):
        return series_where(is_near, lambda x: 1.0 + x / 2.0, x, np.expm1(x) / x)


@pytest.mark.parametrize("shape", [(), (4,), (2, 2), (0,)])
@pytest.mark.parametrize("dtype", [np.float32, float, complex])
def test_values(shape, dtype):
    """Each number has its own formula, in its own precision; single numbers and arrays alike."""
    x = np.resize(np.array([0.0, 1.0, 1e-8, -2.0], dtype), shape)
    y = exponential_quotient(x)
    assert (y.shape, y.dtype) == (shape, dtype)
    expected = np.where(x == 0, 1.0, np.expm1(x) / np.where(x == 0, 1.0, x))
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_the_series_is_computed_where_it_is_used():
    """Of an array in memory."""
    seen = []

    def series(x):
        seen.append(x.size)
        return x

    x = np.array([0.0, 1.0, 2.0])
    np.testing.assert_array_equal(series_where(x < 1.0, series, x, x + 10.0), [0.0, 11.0, 12.0])
    assert seen == [1]


def test_derivatives():
    """Of values that are traced both are."""
    x = np.array([1.0, 3.0])
    np.testing.assert_allclose(
        grad(lambda x: np.sum(series_where(np.array([True, False]), np.sin, x, np.cos(x))))(x),
        [np.cos(1.0), -np.sin(3.0)],
    )
