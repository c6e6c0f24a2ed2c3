"""The rules of filters of Fourier transforms, against finite differences."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules_core import NotImplementedTangent, frule, rrule, unthunk
from tests.chainrules.rule_checks import check_quickly, check_rule, normal


@pytest.mark.parametrize(
    ("f", "parameters"),
    [
        (ndimage.fourier_gaussian, (0.7, (0.7, 0.4))),
        (ndimage.fourier_shift, (0.7, (0.7, -0.4))),
        (ndimage.fourier_uniform, (2,)),
        (ndimage.fourier_ellipsoid, (2,)),
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
    """Their derivatives are not implemented, and say so."""
    x = normal(4)
    y, pullback = rrule(f, x, 2.0)
    assert isinstance(unthunk(pullback(y)[2]), NotImplementedTangent)
    assert isinstance(frule((None, x, 1.0), f, x, 2.0)[1], NotImplementedTangent)
    assert y.dtype == np.float64
