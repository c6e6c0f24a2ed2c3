"""The rules of filters of Fourier transforms, against finite differences."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules_core import ZeroTangent, frule
from tests.chainrules.rule_checks import check_quickly, check_rule, normal


@pytest.mark.parametrize(
    ("f", "parameters"),
    [
        (ndimage.fourier_gaussian, (0.7, (0.7, 0.4))),
        (ndimage.fourier_shift, (0.7, (0.7, -0.4))),
        (ndimage.fourier_uniform, (2, 2.3)),
        (ndimage.fourier_ellipsoid, (2, 2.3)),
    ],
)
def test_filters(f, parameters):
    """Real and complex, of all frequencies or of those that are not negative; by widths and shifts."""
    for parameter in parameters:
        check_quickly(f, normal(3, 4, dtype=complex), parameter)
        check_quickly(f, normal(4, 3, dtype=complex), parameter, 6, 0)
        check_quickly(f, normal(4, 3), parameter, 5)
    check_rule(f, normal(4, 3), parameters[0])


@pytest.mark.parametrize("f", [ndimage.fourier_uniform, ndimage.fourier_ellipsoid])
def test_sizes(f):
    """The transforms of a box and of a ball, in up to three dimensions, at their zeros and at no size too."""
    for x in (normal(5), normal(4, 5, dtype=complex), normal(2, 3, 4)):
        check_rule(f, x, 2.0)
    check_quickly(f, normal(4, 5), (2.4, 1.1))
    check_quickly(f, normal(4, 3, dtype=complex), np.array([2.4, 1.1]), 6, 0)
    _, y_dot = frule((None, ZeroTangent(), np.ones(2)), f, normal(4, 4), np.zeros(2))
    np.testing.assert_array_equal(y_dot, 0.0)


@pytest.mark.parametrize("size", [0.0, -1.4])
def test_an_edge_without_a_length(size):
    """SciPy has the mean alone along it, and its length does not matter."""
    x = normal(4, 5, dtype=complex)
    _, y_dot = frule((None, ZeroTangent(), np.ones(2)), ndimage.fourier_uniform, x, np.array([size, 1.5]))
    low, high = (ndimage.fourier_uniform(x, [size, 1.5 + step]) for step in (-1e-5, 1e-5))
    np.testing.assert_allclose(y_dot, (high - low) / 2e-5, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(frule((None, ZeroTangent(), 1.0), ndimage.fourier_uniform, x, size)[1], 0.0)
