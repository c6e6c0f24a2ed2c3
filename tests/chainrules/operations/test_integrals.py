"""Integrals of vectors."""

import numpy as np
import pytest

from chainrules.ad import hessian
from chainrules.operations.integrals import integrals
from chainrules_core import NoDerivativeError
from tests.chainrules.program_checks import check_along


def test_components_share_the_points():
    """The function is called once at each point that several components need."""
    points = []

    def powers(t):
        points.append(t)
        return np.array([t, t**2, t**3])

    np.testing.assert_allclose(integrals(powers, 0.0, 1.0, None, None, {}), [1 / 2, 1 / 3, 1 / 4])
    assert len(points) == len(set(points)) == 21


def test_both_modes_to_second_order():
    """By limits, and by what the integrand holds."""

    def f(x):
        y = integrals(lambda t: np.stack([x[0] * t, t * x[1] ** 2]), x[0], x[1], None, None, {})
        return np.sum(y * y)

    check_along(f, np.array([0.3, 1.2]), np.array([0.5, 1.0]))
    assert hessian(f)(np.array([0.3, 1.2])).shape == (2, 2)


def test_divergence():
    """An integral of a derivative that diverges is an error."""
    with pytest.raises(NoDerivativeError, match="did not converge"):
        integrals(lambda t: np.array([1.0 / t]), 0.0, 1.0, None, None, {})
