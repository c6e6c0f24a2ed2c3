"""Cubic pieces with given values and slopes, or through values."""

import numpy as np
from scipy.interpolate import CubicHermiteSpline, make_interp_spline

from chainrules.numerics.smooth_systems import smooth_system
from chainrules.operations.cubic_pieces import b_splines, cubic_pieces, pieces, spline_through
from chainrules.operations.piece_slopes import smooth_maps
from chainrules_core import NoTangent
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule

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


def _system():
    zeros = np.zeros((2, 1))
    return zeros + 1.0, zeros + 2.0, zeros, zeros, H[:2], 3.0 + H[:3], H[1:3]


def test_splines_through_values():
    """The slopes are an operation on the differences; values may have any number of axes."""
    h = PrimalAndTangent(H[:2], NoTangent())
    for y in (Y[:3, 0], Y[:3] * (1.0 + 0.3j)):
        test_frule(spline_through, y, h, smooth_maps, "not-a-knot", pieces)
        test_rrule(spline_through, y, h, smooth_maps, "not-a-knot", pieces)


def test_coefficients_of_b_splines():
    """As SciPy has them, of six points and more, with any number of axes."""
    for n in (6, 7, 9):
        x, y = np.sort(RNG.uniform(size=n)), RNG.normal(size=(n, 2))
        h = np.diff(x)[:, np.newaxis]

        def system(h=h):
            return smooth_system(h, "not-a-knot")

        c = spline_through(y, h, smooth_maps, "not-a-knot", b_splines)
        np.testing.assert_allclose(c, make_interp_spline(x, y).c, rtol=1e-9, atol=1e-9)
        for values in (y[:, 0], y * (1.0 + 0.3j)):
            args = PrimalAndTangent(h, NoTangent()), smooth_maps, "not-a-knot", b_splines
            test_frule(spline_through, values, *args)
            test_rrule(spline_through, values, *args)
