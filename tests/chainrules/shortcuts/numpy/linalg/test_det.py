"""Calls of determinants, for the comparison of their shortcuts with their rules; and which they answer."""

import numpy as np

from chainrules.shortcuts.numpy.linalg.det import det_of_plain
from tests.chainrules.shortcuts.matrix_calls import calls_of_one, pushed_of_one

CALLS = {
    "chainrules.shortcuts.numpy.linalg.det.det_of_plain": lambda: calls_of_one(np.linalg.det, 3, 15),
    "chainrules.shortcuts.numpy.linalg.det.push_det_of_plain": lambda: pushed_of_one(np.linalg.det, 3, 15),
}


def test_small_matrices_are_declined():
    """Small matrices are declined: for these NumPy takes less time."""
    assert det_of_plain(np.linalg.det, np.eye(14)) is None
