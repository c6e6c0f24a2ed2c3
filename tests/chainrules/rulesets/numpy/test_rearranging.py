"""The rules of rearranging elements, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal

CUBE = normal(1, 2, 3)
CASES = {
    np.flip: [
        ((CUBE,), {}),
        ((CUBE, 1), {}),
        ((CUBE,), {"axis": (0, -1)}),
        ((1.5,), {}),
        ((normal(3, dtype=complex),), {}),
        ((normal(0, 2), 0), {}),
    ],
    np.fliplr: [((CUBE,), {}), ((normal(2, 3, dtype=complex),), {})],
    np.flipud: [((CUBE,), {}), ((normal(3),), {})],
    np.roll: [
        ((CUBE, 2), {}),
        ((CUBE, -7), {}),
        ((CUBE, 1, 0), {}),
        ((CUBE, (1, -2)), {"axis": (0, -1)}),
        ((CUBE, (1, 2), 1), {}),
        ((CUBE, 2), {"axis": (0, 2)}),
        ((CUBE, (1, 1), (2, 2)), {}),
        ((normal(0), 2), {}),
        ((normal(3, dtype=complex), 1), {}),
    ],
    np.rot90: [
        ((CUBE,), {}),
        ((CUBE, 2), {}),
        ((CUBE, 3, (1, 2)), {}),
        ((CUBE, -1), {"axes": (2, 0)}),
        ((normal(2, 3, dtype=complex), 5), {}),
    ],
}


@pytest.mark.parametrize(
    ("f", "args", "options"), [(f, *case) for f, cases in CASES.items() for case in cases]
)
def test_rearrangements(f, args, options):
    """Each cotangent goes back to where its element was."""
    check_rule(f, *args, **options)


@pytest.mark.parametrize("shift", [np.uint8(1), (np.uint8(2), 1), True])
def test_shifts_without_a_negative(shift):
    """The shift back is a negative number, which unsigned ones have not."""
    check_rule(np.roll, normal(3, 5), shift, (0, 1) if isinstance(shift, tuple) else 1)
