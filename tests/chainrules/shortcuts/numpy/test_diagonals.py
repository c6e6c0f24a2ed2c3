"""Calls of the shortcut of traces."""

import numpy as np

from chainrules.ad import grad, jvp
from chainrules.shortcuts.numpy.diagonals import trace_of_matrix
from tests.chainrules.shortcut_checks import Call, arrays
from tests.python_calls import functions_run_by


def traces():
    """Of matrices of all shapes, of stacks, and with options."""
    return [
        *(Call((np.trace, x)) for x in arrays((3, 3), (3, 4), (4, 3), (0, 0), (2, 0), (2, 3, 3), (4,))),
        Call((np.trace, np.ones((3, 3)), 1)),
        Call((np.trace, np.ones((3, 3))), {"dtype": float}),
    ]


CALLS = {"chainrules.shortcuts.numpy.diagonals.trace_of_matrix": traces}


def test_a_traced_cotangent():
    """It is chosen for the diagonal, not written onto it, so that it has a derivative."""
    A = np.arange(6.0).reshape(2, 3)

    A_bar, A_bar_dot = jvp(lambda w: grad(lambda A: w * np.trace(A))(A), (1.5,), (1.0,))
    np.testing.assert_array_equal(A_bar, 1.5 * np.eye(2, 3))
    np.testing.assert_array_equal(A_bar_dot, np.eye(2, 3))
    _, pullback = trace_of_matrix(np.trace, A)
    assert "where" not in functions_run_by(lambda: pullback(np.array(1.5)))
