"""What the frameworks are compared with is right: the derivatives of all cases agree with differences."""

import numpy as np
import pytest

from chainrules_testutils import grad, jvp
from tests.chainrules.adapters.conformance.cases import CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_derivatives_agree_with_differences(case):
    """The gradient, the slopes, and the gradient's own derivative."""
    floats, directions = case.floats(), case.directions()
    for found, expected in zip(case.gradient(), grad(None, case.loss, *floats), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)
    slopes = jvp(None, case.values, *zip(floats, directions, strict=True))
    for found, expected in zip(case.slopes(), slopes, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)

    def gradient(*xs):
        return case.at(xs).gradient()

    curvature = jvp(None, gradient, *zip(floats, directions, strict=True))
    for found, expected in zip(case.curvature(), curvature, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)  # differences of gradients
