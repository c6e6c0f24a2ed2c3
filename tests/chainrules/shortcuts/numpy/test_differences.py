"""Calls of the shortcut of differences."""

import numpy as np
import pytest

from chainrules.shortcuts.numpy.differences import diff_of_array
from tests.chainrules.shortcut_checks import Call, arrays
from tests.python_calls import functions_run_by


def differences():
    """Of vectors and of arrays of more axes, of one element and of none; with options."""
    return [
        *(Call((np.diff, x)) for x in arrays((4,), (3, 4), (), (1,), (0,), (2, 0))),
        *(Call((np.diff, x, n)) for x in arrays((4,)) for n in (0, 1, 2, 9)),
        *(Call((np.diff, x), {"axis": 0}) for x in arrays((3, 4), (1, 2), ())),
        *(Call((np.diff, x, n, axis)) for x in arrays((4, 3)) for n in (1, 2, 3) for axis in (0, -1, 2)),
        *(Call((np.diff, np.ones((2, 3)), *options)) for options in [(1.0,), (1, 0.5), (-1,), (1, None)]),
        Call((np.diff, np.ones(3), 1, -1, 2.0)),
        Call((np.diff, np.ones(3)), {"prepend": 2.0}),
        Call((np.diff, np.ones(3), 1), {"n": 1}),
        Call((np.diff, np.ones((2, 3))), {"n": 1, "axis": 0}),
    ]


CALLS = {"chainrules.shortcuts.numpy.differences.diff_of_array": differences}


@pytest.mark.parametrize("options", [(), (2,), (1, 0)])
def test_pullbacks_take_the_short_way(options):
    """A plain cotangent is not lined up."""
    y, pullback = diff_of_array(np.diff, np.ones((4, 4)), *options)

    assert "differences_back" not in functions_run_by(lambda: pullback(y))
