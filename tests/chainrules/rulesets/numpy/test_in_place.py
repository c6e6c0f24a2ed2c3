"""The rules of functions that write into arrays: they refuse."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.container_checks import check_refused

CALLS = {
    np.copyto: (np.ones(3),),
    np.fill_diagonal: (1.0,),
    np.place: (np.ones((3, 3), dtype=bool), 1.0),
    np.put: ([0], [1.0]),
    np.put_along_axis: (np.zeros((3, 1), dtype=int), 1.0, 1),
    np.putmask: (np.ones((3, 3), dtype=bool), 1.0),
}


@pytest.mark.parametrize(("f", "args"), CALLS.items(), ids=lambda x: getattr(x, "__name__", ""))
def test_writing_is_refused(f, args):
    """The array is as it was, and an error says what to write."""
    x = np.zeros((3, 3))
    check_refused(f, x, *args, match=rf"numpy\.{f.__name__} of a ndarray .* in place")
    np.testing.assert_array_equal(x, 0.0)


def test_writing_of_traced_values_is_refused():
    """A plain array that others may hold takes no traced value."""
    held = np.zeros(3)
    with pytest.raises(TypeError, match=r"numpy\.put of a ndarray .*in place"):
        grad(lambda x: np.put(held, [0], x))(1.0)
