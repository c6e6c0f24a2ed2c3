"""The rules of the number of dimensions, and of broadcasting, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.several_array_checks import check_several

CUBE = normal(2, 3, 4)
VECTOR = normal(4)


@pytest.mark.parametrize(
    ("args", "options"), [((CUBE, 0), {}), ((CUBE, (0, -1)), {}), ((CUBE,), {"axis": 1}), ((1.5, 0), {})]
)
def test_expand_dims(args, options):
    """New axes anywhere."""
    check_rule(np.expand_dims, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((normal(1, 3, 1),), {}),
        ((normal(1, 3, 1), 0), {}),
        ((normal(1, 3, 1),), {"axis": (0, -1)}),
        ((normal(1, 1, dtype=complex),), {}),
        ((1.5,), {}),
        ((normal(0, 1),), {}),
    ],
)
def test_squeeze(args, options):
    """Axes of length one are taken away, and put back."""
    check_rule(np.squeeze, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((VECTOR, (3, 4)), {}),
        ((1.5, (3, 4)), {}),
        ((VECTOR,), {"shape": (2, 3, 4)}),
        ((normal(3, 1), (3, 5)), {}),
        ((normal(3, 1), (2, 3, 5)), {}),
        ((VECTOR, (0, 4)), {}),
        ((VECTOR, 4), {}),
        ((normal(4, dtype=np.float32), (3, 4)), {}),
        ((normal(3, 1, dtype=complex), (2, 3, 2)), {}),
    ],
)
def test_broadcast_to(args, options):
    """The cotangents of all copies of an element are added, along axes that are new too."""
    check_rule(np.broadcast_to, *args, **options)


@pytest.mark.parametrize(
    "xs",
    [
        (VECTOR,),
        (VECTOR, normal(3, 1)),
        (1.5, normal(2, 1, dtype=complex), normal(3)),
        (normal(0, 1), normal(3)),
        (normal(2, dtype=np.float32), normal(2)),
    ],
)
def test_broadcast_arrays(xs):
    """Several results; a result that is not used contributes nothing."""
    check_several(np.broadcast_arrays, *xs)


@pytest.mark.parametrize("f", [np.atleast_1d, np.atleast_2d, np.atleast_3d], ids=lambda f: f.__name__)
def test_at_least(f):
    """One result for one array, several for several; numbers and arrays of any rank."""
    for x in (1.5, VECTOR, normal(2, 3, dtype=complex), CUBE, normal(0)):
        check_rule(f, x)
    check_several(f, 1.5, VECTOR, normal(2, 3, dtype=complex))
