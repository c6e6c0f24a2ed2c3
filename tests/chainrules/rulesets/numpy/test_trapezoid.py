"""The rules of the trapezoidal rule, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import jvp
from chainrules_core import rrule
from tests.chainrules.rule_checks import check_rule, normal, positive
from tests.chainrules.structured_checks import check_symmetric

MATRIX = normal(3, 4)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((normal(4),), {}),
        ((MATRIX,), {}),
        ((MATRIX,), {"axis": 0}),
        ((MATRIX,), {"dx": 0.5, "axis": -2}),
        ((MATRIX, None, 0.5), {}),
        ((MATRIX, None, positive(3)), {}),
        ((MATRIX, None, positive(4), 0), {}),
        ((MATRIX, None, positive(2, 1), 0), {}),
        ((normal(2, 3, 4), None, positive(2, 4)), {"axis": 1}),
        ((normal(2, 3, 4), None, positive(2, 2, 1)), {"axis": 1}),
        ((MATRIX, positive(4)), {}),
        ((MATRIX, positive(3), 1.0, 0), {}),
        ((MATRIX, normal(3, 4, seed=1)), {}),
        ((MATRIX, normal(3, 4, seed=1), 0.5, 0), {}),
        ((normal(2, 3, 4), positive(3)), {"axis": 1}),
        ((normal(4, dtype=complex), positive(4)), {}),
        ((normal(4), normal(4, dtype=complex)), {}),
        ((normal(4, dtype=complex), None, 0.5), {}),
        ((normal(4, dtype=np.float32), None, 0.5), {}),
        ((normal(4, dtype=np.float32), None, np.float64(0.5)), {}),
        ((normal(1),), {}),
        ((normal(0, 3),), {}),
        ((normal(3, 0),), {}),
        ((normal(0),), {}),
        ((normal(3, 0), positive(0)), {}),
        ((normal(1, 4), normal(3, 4)), {}),
    ],
)
def test_trapezoid(args, options):
    """Along any axis, by the values, by the places, and by the distance between them."""
    check_rule(np.trapezoid, *args, **options)


@pytest.mark.parametrize("places", [(), (positive(3),), (None, 0.5)], ids=["none", "places", "distance"])
def test_places_that_do_not_move_contribute_nothing(places):
    """Not even where a value is infinite."""
    y, y_dot = np.array([np.inf, 1.0, 2.0]), np.ones(3)

    moved = jvp(lambda y: np.trapezoid(y, *places), (y,), (y_dot,))[1]
    assert moved == pytest.approx(np.trapezoid(y_dot, *places))


@pytest.mark.skipif(not hasattr(np, "trapz"), reason="until NumPy 2.3")
@pytest.mark.filterwarnings("ignore:`trapz` is deprecated:DeprecationWarning")
def test_a_deprecated_name():
    """With NumPy's warning where it is called, and the same rules."""
    check_rule(np.trapz, normal(3, 4), None, 0.5, axis=0)  # noqa: NPY201 - the deprecated name is tested


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.trapezoid)


@pytest.mark.parametrize(("shape", "n"), [((3, 2), 3), ((2, 3), 2)])
def test_as_many_places_as_numbers(shape, n):
    """NumPy takes one step for all where there are two numbers or two places, mostly by a wrong axis."""
    with pytest.raises(ValueError, match="as many places as there are numbers"):
        rrule(np.trapezoid, normal(*shape), np.arange(float(n)))
