"""A leading coefficient that is zero has a derivative, and `np.poly1d` drops it."""

import numpy as np
import pytest

from chainrules.ad import grad

DROPPING = {
    "an array": lambda c: np.poly1d(c * [0.0, 1.0])(2.0),
    "a list": lambda c: np.poly1d([c[0] - 1.0, c[1]])(2.0),
    "a difference": lambda c: (np.poly1d(c) - np.poly1d([1.0, 1.0]))(2.0),
    "zero": lambda c: np.poly1d(c_or_r=c[0] - 1.0)(2.0),
}


@pytest.mark.parametrize("f", DROPPING.values(), ids=DROPPING)
def test_coefficients_that_are_dropped(f):
    """The derivative by them would be zero, which is wrong."""
    with pytest.raises(TypeError, match="drops leading coefficients"):
        grad(f)(np.array([1.0, 2.0]))


def test_other_polynomials():
    """None of their coefficients is dropped, or none has a derivative."""
    c = np.array([1.0, 2.0])

    assert grad(lambda c: np.poly1d(np.poly1d(c))(3.0))(c).tolist() == [3.0, 1.0]
    assert grad(lambda c: np.poly1d(c - 1.0, True)(3.0))(c).tolist() == [-2.0, -3.0]
    assert grad(lambda c: c[0] * np.poly1d([0.0, 1.0, 2.0], variable="t")(3.0))(c).tolist() == [5.0, 0.0]
