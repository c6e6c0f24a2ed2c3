"""The rules of interpolated images, against finite differences."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules.ad import grad
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-wrap", "grid-constant", "grid-mirror")
FAR = np.array([[0.3, 1.6, -1.3, 2.7, 9.2, -7.4, -30.2], [2.2, 0.1, 1.7, -0.4, 0.6, 5.8, 41.3]])
IMAGE = normal(3, 4)
TURN = np.array([[0.9, 0.3], [-0.2, 1.1]])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_map_coordinates(order, mode):
    """By the image and the coordinates, also far beyond the borders, and by the number there."""
    check_quickly(ndimage.map_coordinates, IMAGE, FAR, None, order, mode, 0.7)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (ndimage.affine_transform, (TURN, np.array([0.31, -0.22]))),
        (ndimage.shift, (np.array([0.31, -0.22]),)),
        (ndimage.zoom, ((2, 3),)),
        (ndimage.rotate, (20.0,)),
    ],
)
def test_modes(f, args, mode):
    """By the image, and by what the coordinates are computed from."""
    check_quickly(f, IMAGE, *args, mode=mode, cval=0.7)


# SciPy 1.15 warns of what it did until 2016 with a vector in the place of a matrix.
@pytest.mark.filterwarnings("ignore:The behavior of affine_transform:UserWarning")
@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "x", "args", "options"),
    [
        (ndimage.map_coordinates, normal(4, dtype=complex), (np.array([[[0.4, 1.7]]]),), {"mode": "mirror"}),
        (ndimage.map_coordinates, normal(3, 4), (FAR, None, 3, "reflect", 0.0, False), {}),
        (ndimage.map_coordinates, normal(4), (np.array([[0.4, 1.7]]), None, 0), {}),
        (ndimage.map_coordinates, normal(1, 4), (FAR[:, :2],), {"mode": "grid-mirror"}),
        (ndimage.map_coordinates, normal(3, 4), (FAR[:, :2],), {"mode": "grid-constant", "cval": 0.7}),
        (ndimage.affine_transform, normal(3, 4), (np.array([0.9, 1.2]), 0.31, (2, 3)), {"order": 2}),
        (ndimage.affine_transform, normal(3, 4), (np.c_[TURN, [0.31, 0.23]],), {"order": 1}),
        (ndimage.affine_transform, normal(3, 4), (normal(2, 1) * 0.2 + 0.5, 0.13, (3,)), {"order": 1}),
        (ndimage.shift, normal(3, 4), (0.31,), {"order": 1}),
        (ndimage.shift, normal(4), ([0.31],), {"prefilter": False}),
        (ndimage.zoom, normal(3, 4), (2,), {"grid_mode": True, "mode": "grid-constant"}),
        (ndimage.zoom, normal(3, 4, dtype=complex), (2,), {"grid_mode": True, "mode": "grid-constant"}),
        (ndimage.zoom, normal(3, 4), ((1.34, 0.75),), {"order": 1}),
        (ndimage.rotate, normal(4, 3, 2), (20.0, (0, -1)), {"reshape": False, "order": 1}),
        (ndimage.rotate, normal(3, 4), (-130.0,), {"order": 2, "mode": "wrap"}),
    ],
)
def test_options(f, x, args, options):
    """Each option, with other numbers of axes, real and complex."""
    check_quickly(f, x, *args, **options)


def test_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    check_rule(ndimage.map_coordinates, normal(3, 4), FAR[:, :2])
    check_rule(ndimage.affine_transform, normal(3, 3), TURN, np.array([0.31, -0.22]), mode="mirror")
    check_rule(ndimage.zoom, normal(4), 2)
    check_rule(ndimage.rotate, normal(3, 3), 20.0, reshape=False)


def test_a_homogeneous_matrix():
    """The row below does not move."""
    x, matrix = normal(3, 4), np.array([[0.9, 0.3, 0.31], [-0.2, 1.1, 0.2], [0.0, 0.0, 1.0]])
    f = ndimage.affine_transform
    bar = grad(lambda matrix: np.sum(f(x, matrix) ** 2))(matrix)
    np.testing.assert_allclose(bar[:2], grad(lambda matrix: np.sum(f(x, matrix) ** 2))(matrix[:2]))
    np.testing.assert_array_equal(bar[2], np.zeros(3))
    np.testing.assert_array_equal(grad(lambda offset: np.sum(f(x, matrix, offset)))(np.ones(2)), np.zeros(2))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [ndimage.spline_filter, ndimage.spline_filter1d])
def test_coefficients(f, mode):
    """Of each order, real and complex, and of a single pixel."""
    for order in (2, 3, 4, 5):
        check_quickly(f, IMAGE, order, mode=mode)
        check_quickly(f, normal(30), order, mode=mode)
    check_quickly(f, normal(24, dtype=complex), output=complex, mode=mode)
    check_quickly(f, normal(1), mode=mode)


def test_coefficients_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    check_rule(ndimage.spline_filter, normal(4, 3))
    check_rule(ndimage.spline_filter1d, normal(4, 3), 3, 0)
    check_quickly(ndimage.spline_filter1d, normal(4), 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_zoom_by_one(mode):
    """The image itself, however small."""
    check_quickly(ndimage.zoom, normal(1, 2), 1, mode=mode)
