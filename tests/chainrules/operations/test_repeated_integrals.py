"""Integrals over several variables."""

import numpy as np
import pytest
from scipy.integrate import nquad

from chainrules.ad import grad, jvp
from chainrules.operations.repeated_integrals import repeated_integral


@pytest.mark.parametrize(
    "ranges",
    [
        lambda x: [(0.0, x[0]), (0.0, x[1])],
        lambda x: [lambda t: (0.0, x[0]), (0.0, x[1])],
        lambda x: [(0.0, lambda t: x[0]), (0.0, x[1])],
    ],
)
def test_limits(ranges):
    """They are numbers, or functions of the outer variables: here of a rectangle."""

    def area(x):
        return repeated_integral(lambda s, t: 1.0, ranges(x), (), [{}, {}])

    x = np.array([0.3, 0.8])
    np.testing.assert_allclose(area(x), 0.24)
    np.testing.assert_allclose(grad(area)(x), [0.8, 0.3])
    np.testing.assert_allclose(jvp(area, (x,), (x,))[1], 0.48)


def test_narrow_integrands():
    """A part that only the intervals of the integrand itself see has its derivative, in both modes."""

    def f(p):
        return nquad(lambda t: np.exp(-(((t - 3.3) / p) ** 2)), [(0, 10)])[0]

    assert grad(f)(0.02) == pytest.approx(np.sqrt(np.pi), rel=1e-8)
    assert jvp(f, (0.02,), (1.0,))[1] == pytest.approx(np.sqrt(np.pi), rel=1e-8)
