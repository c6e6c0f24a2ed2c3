"""Filters that call functions of the user's back; deviations and distances of images."""

import numpy as np
import pytest
from scipy import ndimage
from scipy.ndimage import geometric_transform

from chainrules.ad import grad, jvp, value_and_grad, vjp
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import jacobian
from tests.chainrules.program_checks import check_slope
from tests.chainrules.rule_checks import normal


def _moved(place, by, slope=0.9):
    return place[0] * slope + by, place[1] - 0.2


@pytest.mark.every_case
@pytest.mark.parametrize(
    "program",
    [
        lambda x, t: geometric_transform(x, lambda place: (place[0] * t[0], place[1] + t[1])),
        lambda x, t: geometric_transform(x, lambda place: (place[0] + 0.3, 1.2), (2,), order=1, cval=t[0]),
        lambda x, t: geometric_transform(x, _moved, mode="reflect", extra_arguments=(t[0],)),
        lambda x, t: geometric_transform(
            x, _moved, mode="mirror", extra_arguments=(0.3,), extra_keywords={"slope": t[0]}
        ),
        lambda x, t: t[0] * geometric_transform(np.eye(3), _moved, extra_arguments=(0.3,)),
    ],
)
def test_places(program):
    """The derivatives are those by the image, by what the places depend on, and by the number beyond."""

    def f(x, t):
        return np.sum(program(x, t) ** 2)

    x, t = normal(2, 3), np.array([0.8, 0.31])
    bars, expected = grad(f, (0, 1))(x, t), grad_by_differences(None, f, x, t)
    for bar, by_differences in zip(bars, expected, strict=True):
        np.testing.assert_allclose(bar, by_differences, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (x, t), (x, t))[1], sum(map(np.vdot, (x, t), bars)), rtol=1e-9)


def test_functions_in_c():
    """What computes the places in C is not followed, and hides no derivative: the image is plain."""
    with pytest.raises(ValueError, match="invalid callable"):
        grad(lambda t: t * np.sum(geometric_transform(np.eye(2), 3.0)))(1.5)


IMAGE, WEIGHTS = np.random.default_rng(3).normal(size=(2, 3, 4))


def _fill(line, filled, power=2.0):
    filled[...] = line[2:] * np.abs(line[:-2]) ** power


FILTERS = {
    "windows": lambda x: ndimage.generic_filter(
        x, lambda w, a: np.sum(a * w**3), 3, mode="constant", cval=0.7, extra_arguments=(2.0,), origin=(0, 1)
    ),
    "footprints": lambda x: ndimage.generic_filter(x, np.max, footprint=[[1, 0, 1], [0, 1, 1]], mode="wrap"),
    "lines": lambda x: ndimage.generic_filter1d(x, _fill, 3, 0, mode="mirror", extra_keywords={"power": 3.0}),
    "copied lines": lambda x: ndimage.generic_filter1d(x, lambda a, b: np.copyto(b, a[1:-1] ** 2), 3),
    "Laplace": lambda x: ndimage.generic_laplace(
        x, lambda a, *more: ndimage.correlate1d(a, [1.0, -2.0, 1.0], *more), mode=("wrap", "nearest")
    ),
    "magnitudes": lambda x: ndimage.generic_gradient_magnitude(x, ndimage.sobel, mode="mirror"),
    "no axes": lambda x: ndimage.generic_laplace(x, ndimage.sobel, axes=()) ** 2,
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters_that_call_back(name):
    """Each mode, origin and footprint is SciPy's; at zero, a magnitude has the derivative zero."""

    def f(x):
        return np.sum(FILTERS[name](x) * WEIGHTS)

    value, gradient = value_and_grad(f)(IMAGE)
    np.testing.assert_allclose(value, f(IMAGE), rtol=1e-13)
    np.testing.assert_allclose(gradient.ravel(), jacobian(None, f, IMAGE)[0][0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(jvp(f, (IMAGE,), (WEIGHTS,))[1], np.sum(gradient * WEIGHTS))


def test_precision_of_filters():
    """It is that of the image, or the one that is asked for."""
    x = IMAGE.astype(np.float32)
    y, pullback = vjp(lambda x: ndimage.generic_filter(x, np.mean, 3), x)
    np.testing.assert_array_equal(y, ndimage.generic_filter(x, np.mean, 3))
    assert y.dtype == pullback(y)[0].dtype == np.float32
    y, _ = vjp(lambda x: ndimage.generic_laplace(x, ndimage.sobel, output=np.float64), x)
    assert y.dtype == np.float64


def test_deviations():
    """In groups of one value, which have the slope zero, and in others."""
    labels, index = np.array([[0, 0, 1, 1], [2, 2, 2, 1], [2, 0, 0, 1]]), [0, 2]
    x = np.where(labels == 1, 0.7, IMAGE)
    for which in (index, None, 2, [2, 1]):
        y, pullback = vjp(lambda x: ndimage.standard_deviation(x, labels, which), x)  # noqa: B023 - called at once
        assert type(y) is type(ndimage.standard_deviation(x, labels, which))
        assert np.all(pullback(np.ones_like(y))[0][labels == 1] == 0.0) or which is None
    check_slope(lambda x: ndimage.standard_deviation(x, labels, index), x)


DISTANCES = {
    "widths": lambda s: ndimage.distance_transform_edt(PLACES, s),
    "one width": lambda s: ndimage.distance_transform_edt(PLACES, sampling=s[0], return_indices=True)[0],
    "a list": lambda s: ndimage.distance_transform_edt(PLACES, [s[1], 2.0]),
    "given indices": lambda s: ndimage.distance_transform_edt(
        PLACES, s, return_indices=True, indices=np.zeros((2, 3, 4), np.int32)
    ),
}
PLACES = np.array([[1, 1, 1, 0], [1, 1, 1, 1], [0, 1, 1, 1]])


@pytest.mark.parametrize("name", DISTANCES)
def test_distances(name):
    """By the widths of pixels: which places are nearest is constant; those on the ground have no slope."""
    check_slope(DISTANCES[name], np.array([1.1, 0.8]))


def test_indices_of_distances():
    """They are SciPy's, and written where they are asked for; the image has the derivative zero."""
    found = np.zeros((2, 3, 4), np.int32)

    def f(s):
        ndimage.distance_transform_edt(PLACES, s, return_indices=True, indices=found)
        _, nearest = ndimage.distance_transform_edt(PLACES, s, return_indices=True)
        return np.sum(s) * np.sum(nearest == found)

    np.testing.assert_allclose(grad(f)(np.array([1.1, 0.8])), 24.0)
    y = grad(lambda x: np.sum(x * ndimage.distance_transform_edt(x > 0.0, (x[0, 0] ** 2, 1.0))))(IMAGE)
    assert np.all(np.isfinite(y))
