"""The rules of filters along one axis after the other, against finite differences."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules.ad import grad
from chainrules_core import rrule
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant")
WEIGHTS = np.array([0.3, 1.2, -0.4])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [ndimage.correlate1d, ndimage.convolve1d])
def test_along_an_axis(f, mode):
    """By the image, the weights, and the number beyond the borders; real and complex, of any length."""
    check_quickly(f, normal(4), WEIGHTS, -1, None, mode, 0.7)
    check_quickly(f, normal(2, 3), normal(4), 0, None, mode, 0.7, 1 if f is ndimage.correlate1d else -1)
    check_quickly(f, normal(3, 2), normal(2, dtype=complex), 0, mode=mode)
    check_quickly(f, normal(5, dtype=complex), WEIGHTS, mode=mode, origin=-1)
    check_quickly(f, normal(1), normal(5), mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (ndimage.gaussian_filter1d, (1.1,)),
        (ndimage.gaussian_filter, (0.8,)),
        (ndimage.gaussian_filter, (np.array([0.8, 0.5]), (1, 3))),
        (ndimage.gaussian_laplace, (0.8,)),
        (ndimage.uniform_filter1d, (3,)),
        (ndimage.uniform_filter, ((3, 2),)),
        (ndimage.prewitt, (0,)),
        (ndimage.sobel, (-1,)),
        (ndimage.laplace, ()),
    ],
)
def test_modes(f, args, mode):
    """By the image, and by the widths."""
    check_quickly(f, normal(3, 4), *args, mode=mode, cval=0.7)


@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (ndimage.gaussian_filter1d, (1.1, 0, 2), {"truncate": 2.0}),
        (ndimage.gaussian_filter1d, (1.1,), {"radius": 1}),
        (ndimage.gaussian_filter, (0.8, (0, 1), None, ("wrap", "constant"), 0.3), {"radius": (2, 1)}),
        (ndimage.gaussian_filter, ([0.8, 0.0],), {}),
        (ndimage.gaussian_filter, (0.8, 0, None, "constant", 0.7), {"axes": 1}),
        (ndimage.gaussian_laplace, ([0.6, 0.8], None, ("wrap", "mirror"), 0.7), {"truncate": 2.0}),
        (ndimage.uniform_filter, (2, None, ("wrap", "constant"), 0.7, -1), {}),
        (ndimage.uniform_filter, (3,), {"axes": (1,)}),
        (ndimage.sobel, (0, None, ["wrap", "constant"], 0.7), {}),
        (ndimage.laplace, (None, ("mirror", "constant"), 0.7), {}),
    ],
)
def test_options(f, args, options):
    """For each axis another, in every way, and differentiated twice."""
    check_rule(f, normal(3, 4), *args, **options)


def test_weights_in_every_way():
    """In both precisions, with gaps, and differentiated twice."""
    for f in (ndimage.correlate1d, ndimage.convolve1d):
        check_rule(f, normal(2, 4), WEIGHTS, -1, None, "mirror")
        check_quickly(f, normal(4), [1.0, 2.0])
        check_quickly(f, [1.0, 2.0, 4.0], [1.0, 2.0])


def test_widths_in_tuples():
    """Differentiated twice, where the tuple holds numbers that are traced."""
    check_along(
        lambda s: np.sum(ndimage.gaussian_filter(np.eye(4), (s[0], s[1]))[0] ** 2),
        np.array([0.7, 0.9]),
        np.array([1.0, 2.0]),
    )


def test_results():
    """They may be of another precision, and are not written into an array."""
    x = normal(5)
    y, pullback = rrule(ndimage.gaussian_filter, x, 1.0, 0, np.float32)
    assert y.dtype == np.float32
    assert pullback(y)[1].dtype == float
    with pytest.raises(TypeError, match=r"ndimage\.gaussian_filter.*output="):
        rrule(ndimage.gaussian_filter, x, 1.0, output=np.zeros(5))
    np.testing.assert_array_equal(
        grad(lambda x: np.sum(ndimage.gaussian_filter(x, 1.0, output=int)) + np.sum(x))(x), np.ones(5)
    )
