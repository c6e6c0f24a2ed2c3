"""The rules of `np.gradient`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import jvp
from tests.chainrules.rule_checks import check_rule, normal, positive
from tests.chainrules.several_array_checks import check_several

PLACES = np.cumsum(positive(5))
OTHER_PLACES = np.cumsum(positive(4, seed=1))


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize(
    "args",
    [(), (0.3,), (np.float64(0.3),), (PLACES,), (PLACES[::-1].copy(),), (0.5 * np.arange(5),)],
    ids=["none", "number", "scalar", "places", "descending", "regular"],
)
@pytest.mark.parametrize("dtype", [float, complex])
def test_vectors(dtype, args, edge_order):
    """All spacings, by which the result can be differentiated too."""
    check_rule(np.gradient, normal(5, dtype=dtype), *args, edge_order=edge_order)


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize("spacing", [0.3 + 0.2j, PLACES + 1j * PLACES[::-1]], ids=["number", "places"])
def test_complex_spacings(spacing, edge_order):
    """The conjugate of the spacing divides the cotangents of the array and of the spacing."""
    check_rule(np.gradient, normal(5, dtype=complex), spacing, edge_order=edge_order)


@pytest.mark.parametrize("edge_order", [1, 2])
def test_short_vectors(edge_order):
    """No longer than the differences at the edges are wide."""
    check_rule(np.gradient, normal(edge_order + 1), 0.5, edge_order=edge_order)
    check_rule(np.gradient, normal(edge_order + 1), PLACES[: edge_order + 1], edge_order=edge_order)


@pytest.mark.parametrize("options", [{"axis": 0}, {"axis": -1}, {"axis": (1,)}, {"axis": 1, "edge_order": 2}])
def test_one_axis(options):
    """One axis has one result."""
    check_rule(np.gradient, normal(3, 5), 0.5, **options)
    check_rule(np.gradient, normal(5, 5), PLACES, **options)


def test_places_in_a_list():
    """NumPy takes a list for an array."""
    check_rule(np.gradient, normal(5, dtype=complex), PLACES.tolist())


@pytest.mark.parametrize(
    ("spacings", "options"),
    [((), {"edge_order": 2}), ((0.5,), {}), ((0.5,), {"axis": (-1, -2)}), ((0.5, 0.7), {"edge_order": 2})],
)
def test_several_axes(spacings, options):
    """A result for each axis; one number is the spacing along all of them."""
    check_several(np.gradient, normal(2, 3) if not options else normal(3, 3), *spacings, **options)


def test_several_axes_with_places():
    """A vector of places for each axis, in the order in which the axes are named."""
    check_several(np.gradient, normal(3, 2), PLACES[:3], OTHER_PLACES[:2])
    check_several(np.gradient, normal(3, 3), OTHER_PLACES[:3], 0.5, axis=(1, 0), edge_order=2)


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize("spacing", [(), (0.5,), (PLACES,)], ids=["none", "number", "places"])
def test_spacings_that_do_not_move_contribute_nothing(spacing, edge_order):
    """Not even where a difference is infinite."""
    x, x_dot = np.array([np.inf, 1.0, 2.0, 4.0, 3.0]), normal(5)

    def f(x):
        return np.gradient(x, *spacing, edge_order=edge_order)

    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], f(x_dot))


@pytest.mark.parametrize(
    "places", [np.array([9, 4, 200, 230], np.uint8), np.array([-100, 0, 100, 120], np.int8)]
)
def test_places_of_short_integers(places):
    """NumPy takes them for floats: differences do not wrap around."""
    check_rule(np.gradient, normal(4), places)
