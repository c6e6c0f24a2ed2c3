"""Filters of images that write into the array given as `output`."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules.ad import grad, jvp, vjp
from tests.chainrules.program_checks import check_program

IMAGE = np.random.default_rng(0).normal(size=(4, 5))
PLAIN = np.ones((4, 5))

# Ruled functions, those whose code is followed, and those that call functions of the user's.
FILTERS = {
    "ruled": lambda x, y: ndimage.gaussian_filter(x, 1.2, output=y),
    "by position": lambda x, y: ndimage.correlate1d(x, [1.0, -2.0, 0.5], 0, y, "mirror"),
    "moved": lambda x, y: ndimage.shift(x, 0.3, y, order=1),
    "fourier": lambda x, y: ndimage.fourier_gaussian(x, 0.5, output=y),
    "followed": lambda x, y: ndimage.morphological_gradient(x, 3, output=y),
    "of windows": lambda x, y: ndimage.generic_filter(x, np.mean, 3, output=y),
    "of lines": lambda x, y: ndimage.generic_laplace(x, ndimage.sobel, y),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", FILTERS)
def test_filled_arrays(name):
    """An array that the program made is filled, and so is a part of one."""

    def program(x):
        y = np.zeros((2, 4, 5))
        FILTERS[name](x, y[1])
        z = np.empty((4, 5))
        FILTERS[name](y[1] ** 2, z)
        return y[1] + z

    check_program(program, IMAGE, order=1)


def test_written_over():
    """An image may be the output of its own filter, and other precisions round."""

    def program(x):
        x = x * 2.0
        y = np.zeros((4, 5), np.float32)
        ndimage.uniform_filter(x, 3, output=y)
        result = ndimage.uniform_filter(x, 3, output=x)
        return result + x, y

    y, y_dot = jvp(program, (IMAGE,), (PLAIN,))
    for tangent, expected in zip(y_dot, (4.0, 2.0), strict=True):
        np.testing.assert_allclose(tangent, np.full((4, 5), expected), rtol=1e-6)
    np.testing.assert_allclose(y[0], 2.0 * ndimage.uniform_filter(2.0 * IMAGE, 3), rtol=1e-12)
    np.testing.assert_array_equal(y[1], ndimage.uniform_filter(2.0 * IMAGE, 3, output=np.float32))


def test_plain_images():
    """An image that depends on nothing is written into an array that the program made, or another."""

    def program(x):
        y, z = np.zeros((4, 5)), PLAIN.copy()
        ndimage.uniform_filter(PLAIN, 3, output=y)
        ndimage.uniform_filter(PLAIN, 3, output=z)
        return np.sum(x * y * z)

    np.testing.assert_allclose(grad(program)(IMAGE), PLAIN)


def test_errors():
    """Arrays of others would lose the derivative, and other shapes are SciPy's own error."""
    with pytest.raises(TypeError, match=r"scipy\.ndimage\.sobel\(\.\.\., output=\.\.\.\)"):
        grad(lambda x: np.sum(ndimage.sobel(x, output=PLAIN)))(IMAGE)
    with pytest.raises(RuntimeError, match="output shape not correct"):
        vjp(lambda x: ndimage.sobel(x, output=np.zeros((2, 5))), IMAGE)


def test_writing_into_what_rules_keep():
    """A filter writes into an array that a product has kept."""

    def program(x):
        kept = PLAIN.copy()
        y = x * kept
        ndimage.uniform_filter(3.0 * PLAIN, 3, output=kept)
        return np.sum(y)

    np.testing.assert_allclose(grad(program)(IMAGE), PLAIN)
