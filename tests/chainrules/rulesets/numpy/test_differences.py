"""The rules of differences of neighbours, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import ZeroTangent, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

MATRIX = normal(3, 4)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX,), {}),
        ((MATRIX, 2), {}),
        ((MATRIX, 1, 0), {}),
        ((MATRIX,), {"n": 3, "axis": -2}),
        ((MATRIX, 5), {}),
        ((MATRIX, 4), {}),
        ((MATRIX, 0), {}),
        ((normal(2, 3, 4), 1, 1), {}),
        ((normal(4, dtype=complex), 2), {}),
        ((normal(0, 2), 1, 0), {}),
        ((normal(1),), {}),
        ((MATRIX,), {"prepend": 1.5}),
        ((MATRIX, 2, 0), {"append": normal(2, 4)}),
        ((MATRIX, 1, -1, 1.5), {}),
        ((MATRIX, 2, -1, normal(3, 2), np.array(2.5)), {}),
        ((MATRIX, 1, 0, normal(1, 4), normal(2, 4)), {}),
        ((MATRIX, 0, 0, 1.5), {}),
        ((normal(3, dtype=np.float32), 1, 0, 1.5), {}),
    ],
)
def test_diff(args, options):
    """Once or several times along any axis, with numbers and arrays put before and after."""
    check_rule(np.diff, *args, **options)


def test_diff_by_what_is_put_before_by_keyword():
    """It is moved to its place."""
    x = np.array([1.0, 2.0])

    assert grad(lambda start: np.sum(np.diff(x, prepend=start) ** 2))(0.5) == -1.0


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((normal(4),), {}),
        ((MATRIX,), {}),
        ((normal(4), 1.5), {}),
        ((normal(4), normal(2), 2.5), {}),
        ((normal(4), None, normal(1, 2)), {}),
        ((normal(4),), {"to_begin": 1.5, "to_end": [1.5, 2.5]}),
        ((normal(1), 1.5), {}),
        ((normal(0),), {}),
        ((normal(4, dtype=complex), 1.5j), {}),
    ],
)
def test_ediff1d(args, options):
    """Of all elements in a row, with others put before and after."""
    check_rule(np.ediff1d, *args, **options)


@pytest.mark.parametrize("options", [(), (2,), (1, 0)])
def test_a_cotangent_of_zero(options):
    """The differences do not change, and neither does what they are made of."""
    _, pullback = rrule(np.diff, normal(4), *options)

    assert pullback(ZeroTangent())[1] is ZeroTangent()


@pytest.mark.parametrize("f", [np.diff, np.ediff1d], ids=lambda f: f.__name__)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)
