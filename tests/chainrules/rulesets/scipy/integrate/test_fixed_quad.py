"""The rules of `scipy.integrate.fixed_quad`, against finite differences."""

import numpy as np
import pytest
from scipy.integrate import fixed_quad

from chainrules.ad import grad, jvp
from tests.chainrules.program_checks import check_along, check_via_ad


@pytest.mark.parametrize(
    "f",
    [
        lambda x: fixed_quad(lambda t: np.exp(-x[0] * t) * x[1], x[1], x[2])[0],
        lambda x: fixed_quad(lambda t, a, b: a * np.sin(b * t), 0, x[2], (x[0], x[1]), 7)[0],
        lambda x: fixed_quad(lambda t, a: a * t**2, 0, 1, args=(x[0],), n=3)[0],
        lambda x: fixed_quad(lambda t, a, b, c: a * b * np.exp(c * t), 0, 1, x)[0],
        lambda x: fixed_quad(lambda t, a: a * np.exp(t), 0, 1, args=[x[0]])[0],
        lambda x: np.sum(fixed_quad(lambda t: np.exp(np.multiply.outer(x, t)), 0, x[1])[0] ** 2),
        lambda x: np.abs(fixed_quad(lambda t: np.exp(1j * x[0] * t), 0, x[1])[0]),
        lambda x: fixed_quad(lambda t: x[0] + 0.0 * t[0], 0, x[1])[0],
    ],
)
def test_both_modes_to_second_order(f):
    """By the limits, the arguments, and all that the integrand holds."""
    check_along(f, np.array([0.3, 1.2, 2.0]), np.array([0.5, 0.7, 1.0]))


def test_infinite_limits_are_refused():
    """By SciPy itself."""
    for derive in (grad, lambda f: lambda a: jvp(f, (a,), (1.0,))):
        with pytest.raises(ValueError, match="finite limits"):
            derive(lambda a: fixed_quad(lambda t: np.exp(-a * t), 0, np.inf)[0])(1.0)


def test_rules():
    """Both rules of a call are right, whichever system asks."""
    check_via_ad(fixed_quad, np.sin, 0.3, 1.2)
