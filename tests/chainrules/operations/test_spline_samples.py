"""Sums of B-splines, and their adjoint."""

import numpy as np
import pytest
from scipy import ndimage
from scipy.interpolate import BSpline

from chainrules.operations.spline_samples import sample, spread
from tests.chainrules.rule_checks import check_rule, normal

X = np.array([[0.3, 1.6, -0.2], [2.2, 0.1, 1.7]])


@pytest.mark.parametrize("order", range(6))
def test_values(order):
    """As SciPy has them, and the derivatives of a spline in between."""
    c = normal(5, 6)
    expected = ndimage.map_coordinates(c, X + 1.0, order=order, mode="mirror", prefilter=False)
    np.testing.assert_allclose(sample(c, X + 1.0, order, "mirror", (0, 0)), expected, atol=1e-12)
    c = np.zeros(13)
    c[6] = 1.0
    spline = BSpline.basis_element(np.arange(order + 2.0) - (order + 1) / 2)
    at = np.linspace(-0.4, 0.45, 5)
    for nu in range(order + 1):
        np.testing.assert_allclose(
            sample(c, at[None] + 6, order, "mirror", (nu,)), spline(at, nu), atol=1e-12
        )


@pytest.mark.parametrize("extension", ["mirror", "reflect", "wrap", "nearest", "constant"])
def test_rules(extension):
    """Each is linear in the first argument, and both have derivatives by the places."""
    check_rule(sample, normal(4, 3), X, 3, extension, (0, 0))
    check_rule(sample, normal(4, 3, dtype=complex), X, 2, extension, (1, 0))
    check_rule(spread, normal(3), X, 3, extension, (0, 1), (4, 3))
    check_rule(spread, normal(3, dtype=complex), X, 4, extension, (0, 0), (4, 3))
