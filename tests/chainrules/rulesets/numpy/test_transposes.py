"""The rules of permutations of axes, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal

CUBE = normal(1, 2, 3)
CASES = {
    np.transpose: [
        ((CUBE,), {}),
        ((CUBE, (1, 2, 0)), {}),
        ((CUBE, [2, 0, 1]), {}),
        ((CUBE, (-1, 0, 1)), {}),
        ((CUBE,), {"axes": (2, 0, 1)}),
        ((CUBE, None), {}),
        ((CUBE, [1, 2, 0]), {}),
        ((CUBE, np.array([1, -1, 0])), {}),
        ((normal(4),), {}),
        ((normal(4), 0), {}),
        ((1.5,), {}),
        ((normal(2, 3, 4, dtype=complex), (2, 0, 1)), {}),
    ],
    np.swapaxes: [((CUBE, 0, -1), {}), ((CUBE,), {"axis1": 0, "axis2": 1}), ((normal(0, 3), 0, 1), {})],
    np.moveaxis: [
        ((CUBE, 0, -1), {}),
        ((CUBE, (0, 1), (2, 0)), {}),
        ((CUBE, [-1], [0]), {}),
        ((CUBE,), {"source": 2, "destination": 1}),
        ((normal(0, 3, dtype=complex), 0, 1), {}),
    ],
    np.rollaxis: [
        ((CUBE, 2), {}),
        ((CUBE, -1), {}),
        ((CUBE, 0, 3), {}),
        ((CUBE, -3, -1), {}),
        ((CUBE,), {"axis": 1, "start": 3}),
    ],
}


@pytest.mark.parametrize(
    ("f", "args", "options"), [(f, *case) for f, cases in CASES.items() for case in cases]
)
def test_permutations(f, args, options):
    """The axes go back to where they were, whichever way they are named."""
    check_rule(f, *args, **options)


@pytest.mark.parametrize("x", [CUBE, normal(3, 4, dtype=complex), normal(0, 3)])
def test_matrix_transpose(x):
    """Of each matrix of a stack."""
    check_rule(np.matrix_transpose, x)
