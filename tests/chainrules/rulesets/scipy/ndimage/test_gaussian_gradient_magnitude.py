"""The rules of the magnitude of the gradient of a smoothed image, against finite differences."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_gradient_magnitude

from chainrules.ad import grad
from tests.chainrules.rule_checks import check_quickly, check_rule, normal


@pytest.mark.parametrize("mode", ["reflect", "constant", ("wrap", "mirror")])
def test_magnitudes(mode):
    """By the image, the width, and the number beyond the borders."""
    check_quickly(gaussian_gradient_magnitude, normal(3, 4), 0.8, None, mode, 0.7)
    check_quickly(gaussian_gradient_magnitude, normal(3, 4), [0.8, 0.6], mode=mode, truncate=2.0)


def test_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    check_rule(gaussian_gradient_magnitude, normal(3, 4), 0.8)


def test_a_constant_image():
    """Its magnitude is the least; there the derivative is taken to be zero."""
    x_bar = grad(lambda x: np.sum(gaussian_gradient_magnitude(x, 1.0)))(np.ones((3, 3)))
    np.testing.assert_array_equal(x_bar, np.zeros((3, 3)))
