"""The rules of repeating arrays and their elements, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal

MATRIX = normal(2, 3)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, 2), {}),
        ((MATRIX, (2, 1)), {}),
        ((MATRIX, (4, 2, 3)), {}),
        ((normal(2, 3, 4), 2), {}),
        ((MATRIX,), {"reps": [2, 2]}),
        ((1.5, 3), {}),
        ((np.array(1.5), (2, 3)), {}),
        ((MATRIX, (0, 2)), {}),
        ((normal(0, 3), 2), {}),
        ((normal(2, dtype=complex), 3), {}),
        ((MATRIX, ()), {}),
    ],
)
def test_tile(args, options):
    """Repetitions along fewer axes than there are, as many, and more."""
    check_rule(np.tile, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, 2), {}),
        ((MATRIX, 2, 0), {}),
        ((MATRIX, 3), {"axis": -1}),
        ((MATRIX, [2], 1), {}),
        ((MATRIX, [1, 0, 2], 1), {}),
        ((MATRIX, np.array([1, 3])), {"axis": 0}),
        ((MATRIX, [0, 1, 2, 3, 0, 1]), {}),
        ((MATRIX, 0), {}),
        ((1.5, 3), {}),
        ((np.array(1.5), 2), {}),
        ((np.array(1.5), 2, 0), {}),
        ((1.5, [3]), {"axis": -1}),
        ((normal(0, 3), 2), {}),
        ((normal(3, dtype=complex), [1, 2, 0]), {}),
    ],
)
def test_repeat(args, options):
    """All elements as often, or each as often as it says."""
    check_rule(np.repeat, *args, **options)
