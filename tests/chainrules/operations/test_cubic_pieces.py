"""Cubic pieces with given values and slopes, and terms of neighbouring differences."""

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from chainrules.operations.cubic_pieces import akima_slopes, cubic_pieces, monotone_slopes, neighbour_terms
from chainrules_testutils import test_frule, test_rrule

RNG = np.random.default_rng(0)
H = RNG.uniform(0.5, 1.5, (4, 1))
Y, S = RNG.normal(size=(2, 5, 2))


def test_values():
    """As SciPy has them."""
    x = np.append(0.0, np.cumsum(H))
    np.testing.assert_allclose(cubic_pieces(H, Y, S), CubicHermiteSpline(x, Y, S).c, rtol=1e-12)


def test_pieces():
    """By widths, values and slopes, real and complex."""
    for y, s in ((Y[:3], S[:3]), (Y[:3, :1] * (1.0 - 0.5j), S[:3, :1])):
        test_frule(cubic_pieces, H[: len(y) - 1], y, s)
        test_rrule(cubic_pieces, H[: len(y) - 1], y, s)


@pytest.mark.every_case
@pytest.mark.parametrize("count", [1, 2, 3])
def test_terms(count):
    """By factors, differences and what is added, real and complex; of one difference too."""
    F, B, w, v = Y[:count, :1], S[:count, :1], Y[3:, :1], S[3:]
    for m in (S[:count], S[:count] * (1.0 + 0.3j)):
        test_frule(neighbour_terms, F, B, w, m, v)
        test_rrule(neighbour_terms, F, B, w, m, v)


def test_known_slopes():
    """They are those that were given; see the tests of the splines for their derivatives."""
    assert monotone_slopes(H, Y[:4], S) is S
    assert akima_slopes(Y[:4], 0.5, S) is S
