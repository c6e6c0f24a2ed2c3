"""The rules of correlations of images, against finite differences."""

import inspect

import pytest
from scipy import ndimage

from tests.chainrules.rule_checks import check_quickly, check_rule, normal


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "wrap", "constant", "grid-wrap"])
@pytest.mark.parametrize("f", [ndimage.correlate, ndimage.convolve])
def test_modes(f, mode):
    """By the image, the weights, and the number beyond the borders; real and complex."""
    check_quickly(f, normal(3, 4), normal(2, 3, seed=1), None, mode, 0.7)
    check_quickly(f, normal(3), normal(4, seed=1, dtype=complex), mode=mode)
    check_quickly(f, normal(3, dtype=complex), normal(2, seed=1), mode=mode)


@pytest.mark.parametrize("f", [ndimage.correlate, ndimage.convolve])
def test_options(f):
    """Origins, axes, lists; in every way, and differentiated twice."""
    origin = [-1, 1] if f is ndimage.correlate else [0, 1]
    check_rule(f, normal(3, 4), normal(2, 3, seed=1), origin=origin)
    if "axes" in inspect.signature(f).parameters:  # not in all promised versions of SciPy
        check_rule(f, normal(3, 4), normal(3, seed=1), None, "constant", 0.7, axes=(1,))
    check_quickly(f, normal(4), [1.0, 0.5, 0.2])
