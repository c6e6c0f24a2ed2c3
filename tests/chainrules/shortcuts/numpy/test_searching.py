"""Calls of the shortcut of choices."""

import numpy as np
import pytest

from chainrules.shortcuts.numpy.searching import where_between_arrays
from chainrules_core import AbstractThunk
from tests.chainrules.shortcut_checks import Call, arrays


def choices():
    """By conditions that are arrays, numbers and lists, of the same shape as the arrays and of others."""
    xs = arrays((3, 4), (4,), (), (0,))
    conditions = [
        np.array([True, False, True, False]),
        np.eye(3, 4),
        [True, False, False, True],
        True,
        np.ones((2, 1, 1), dtype=bool),
        np.zeros((3, 1), dtype=bool),
    ]
    return [
        *(Call((np.where, c, x, x[..., ::-1] if np.ndim(x) else x)) for c in conditions for x in xs),
        *(Call((np.where, conditions[0], x, 0.0)) for x in arrays((4,))),
        *(Call((np.where, conditions[0], np.ones(4), x)) for x in arrays((4,), (3, 4))),
        Call((np.where, np.ones(200), np.ones(200), np.zeros(200))),
    ]


CALLS = {"chainrules.shortcuts.numpy.searching.where_between_arrays": choices}


@pytest.mark.parametrize("n", [100, 101])
def test_few_elements_are_chosen_at_once(n):
    """A thunk would take longer than the choice; of more elements nobody may ask for both cotangents."""
    _, pullback = where_between_arrays(np.where, np.ones(n), np.ones(n), np.zeros(n))

    assert [isinstance(bar, AbstractThunk) for bar in pullback(np.ones(n))[2:]] == [n > 100] * 2
