"""Images interpolated by splines."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules.formulas.filters.spline_images import Interpolation, pull_coefficients
from tests.chainrules.rule_checks import normal

X = np.append(np.linspace(-30.0, 40.0, 70) * 0.47, 1e9)
MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-wrap", "grid-constant")


@pytest.mark.parametrize("mode", MODES)
def test_places_beyond_the_ends(mode):
    """The adjoint is that of SciPy's interpolation, wherever a mode reads."""
    y_bar = normal(71, seed=1)
    x_bar = Interpolation((20,), (71,), [X], 2, mode, prefilter=True).pull_image(y_bar)
    for k in (0, 7, 19):  # far beyond the ends too
        unit = np.eye(20)[k]
        expected = y_bar @ ndimage.map_coordinates(unit, X[None], order=2, mode=mode)
        np.testing.assert_allclose(x_bar[k], expected, atol=1e-9)


@pytest.mark.parametrize("mode", ["mirror", "grid-wrap"])
def test_coefficients(mode):
    """The adjoint of a line is the transpose of its matrix."""
    matrix = np.stack([ndimage.spline_filter1d(row, 3, mode=mode) for row in np.eye(5)])
    np.testing.assert_allclose(
        [pull_coefficients(row, 3, (0,), mode) for row in np.eye(5)], matrix.T, atol=1e-9
    )
