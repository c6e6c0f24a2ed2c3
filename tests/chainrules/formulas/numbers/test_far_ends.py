"""Infinite arguments of functions that are constant far away."""

import numpy as np
import pytest

from chainrules.ad import grad, hvp
from chainrules.formulas.numbers.far_ends import without_infinities

X = np.array([-np.inf, -50.0, 0.5, np.inf])


@pytest.mark.parametrize(
    ("lowest", "highest", "expected"),
    [(-40.0, 40.0, [0.0, 1.0, 1.0, 0.0]), (-np.inf, 40.0, [1.0, 1.0, 1.0, 0.0])],
)
def test_traced_numbers(lowest, highest, expected):
    """Only infinite ones become constants, and only beyond a finite bound."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(without_infinities(x, lowest, highest)))(X), expected)


@pytest.mark.parametrize("x", [X, np.array([1j])])
def test_numbers_that_are_not_traced(x):
    """They stay as they are."""
    assert without_infinities(x, -40.0, 40.0) is x


def test_finite_and_complex_numbers():
    """They stay as they are, traced or not."""
    for x in (X[1:3], 1j * X[1:3]):
        np.testing.assert_array_equal(
            grad(lambda x: np.sum(np.real(without_infinities(x, -4.0, 4.0))))(x), np.ones(2)
        )
    assert hvp(lambda x: without_infinities(x, -4.0, 4.0) ** 2, 3.0, 1.0) == 2.0
