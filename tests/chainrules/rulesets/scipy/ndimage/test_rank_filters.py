"""The rules of filters that choose an element of a window, against finite differences."""

import numpy as np
import pytest
from scipy import ndimage, signal

from chainrules.ad import grad
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

MODES = ("reflect", "mirror", "nearest", "wrap", "constant")
CROSS = np.array([[0, 1, 0], [1, 1, 1]], bool)
AROUND = {
    ndimage.minimum_filter: (),
    ndimage.maximum_filter: (),
    ndimage.median_filter: (),
    ndimage.rank_filter: (1,),
    ndimage.percentile_filter: (30.0,),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", AROUND)
def test_windows(f, mode):
    """Of a size, of a footprint, moved; beyond the borders may stand a number."""
    check_quickly(f, normal(4, 3), *AROUND[f], (2, 3), None, None, mode, 0.1)
    check_quickly(f, normal(4, 3), *AROUND[f], footprint=CROSS, mode=mode, origin=(-1, 1))
    check_quickly(f, normal(5), *AROUND[f], 3, mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [ndimage.minimum_filter1d, ndimage.maximum_filter1d])
def test_windows_along_an_axis(f, mode):
    """Of even and odd sizes, moved."""
    check_quickly(f, normal(4, 3), 3, 0, None, mode, 0.1)
    check_quickly(f, normal(4, 3), 2, origin=-1, mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [ndimage.grey_erosion, ndimage.grey_dilation])
def test_morphology(f, mode):
    """With a structure, which has a derivative too."""
    check_quickly(f, normal(4, 3), (2, 3), None, None, None, mode, 0.1)
    check_quickly(f, normal(4, 3), None, CROSS, normal(2, 3, seed=1), None, mode, 0.1, (-1, 0))
    check_quickly(f, normal(4), None, None, [0.1, 0.5, 0.2], mode=mode)


def test_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    for f, args in AROUND.items():
        check_rule(f, normal(4, 3), *args, 2)
    check_rule(ndimage.grey_erosion, normal(4), None, None, normal(3, seed=1))


def test_axes():
    """The others are left alone."""
    check_quickly(ndimage.maximum_filter, normal(4, 3), 2, axes=(1,))
    check_quickly(ndimage.median_filter, [1.0, 3.0, 2.0, 5.0], 3)


def test_ties():
    """Equal elements share the derivative; numbers beyond the borders take a part."""
    f = ndimage.maximum_filter
    np.testing.assert_array_equal(grad(lambda x: f(x, 3)[1])(np.array([2.0, 1.0, 2.0])), [0.5, 0.0, 0.5])
    x_bar = grad(lambda x: np.sum(f(x, 3, mode="constant")))(np.zeros(3))
    np.testing.assert_allclose(x_bar, [2 / 3, 1.0, 2 / 3])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: ndimage.grey_opening(x, 2),
        lambda x: ndimage.grey_closing(x, 2),
        lambda x: ndimage.white_tophat(x, 2),
        lambda x: ndimage.black_tophat(x, 2),
        lambda x: ndimage.morphological_gradient(x, 3),
        lambda x: ndimage.morphological_laplace(x, 3),
        lambda x: signal.medfilt(x, 3),
        lambda x: signal.order_filter(x, np.ones((1, 3)), 1),
    ],
)
def test_functions_of_scipy_that_are_made_of_these(f):
    """They are followed."""
    check_program(f, normal(3, 4), order=1)
