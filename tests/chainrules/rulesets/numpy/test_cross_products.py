"""The rules of cross products, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_kinds, check_rule, normal

VECTORS = normal(4, 3)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((normal(3), normal(3, seed=1)), {}),
        ((VECTORS, normal(4, 3, seed=1)), {}),
        ((VECTORS, normal(3)), {}),
        ((normal(3), VECTORS), {}),
        ((normal(2, 1, 3), VECTORS), {}),
        ((normal(3, 4), VECTORS, 0, 1, 0), {}),
        ((normal(3, 4), normal(3, 4, seed=1)), {"axis": 0}),
        ((VECTORS, normal(3, 4)), {"axisb": 0, "axisc": 0}),
        ((normal(3, dtype=complex), normal(3, dtype=complex, seed=1)), {}),
        ((normal(3), normal(3, dtype=complex)), {}),
        ((normal(0, 3), normal(3)), {}),
    ],
)
def test_cross(args, options):
    """Stacks of vectors that broadcast, along any axes."""
    check_rule(np.cross, *args, **options)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="until NumPy 2.4")
@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 2)])
def test_vectors_in_the_plane(m, n):
    """Their third coordinate is zero; of two of them only the third coordinate of the product is there."""
    check_rule(np.cross, normal(m), normal(n, seed=1))
    check_rule(np.cross, normal(4, m), normal(4, n, dtype=complex))
    check_rule(np.cross, normal(m, 4), normal(n, 4, seed=1), axis=0)


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(np.cross, normal(2, 3), normal(1, 3, seed=1))
