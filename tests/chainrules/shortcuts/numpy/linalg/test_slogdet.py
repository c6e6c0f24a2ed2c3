"""Calls of logarithms of determinants, for the comparison of their shortcuts with their rules."""

import numpy as np

from chainrules.shortcuts.numpy.linalg.slogdet import slogdet_of_plain
from tests.chainrules.shortcuts.matrix_calls import calls_of_one, pushed_of_one

CALLS = {
    "chainrules.shortcuts.numpy.linalg.slogdet.slogdet_of_plain": lambda: calls_of_one(
        np.linalg.slogdet, 3, 20
    ),
    "chainrules.shortcuts.numpy.linalg.slogdet.push_slogdet_of_plain": lambda: pushed_of_one(
        np.linalg.slogdet, 3, 20
    ),
}


def test_results_have_their_names():
    """They are those of NumPy's function."""
    (sign, logabsdet), _ = slogdet_of_plain(np.linalg.slogdet, 2 * np.eye(20))

    assert (sign, logabsdet) == (1.0, 20 * np.log(2.0))
