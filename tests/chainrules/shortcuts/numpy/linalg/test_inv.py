"""Calls of inverses, for the comparison of their shortcuts with their rules; and errors."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.shortcuts.matrix_calls import calls_of_one, pushed_of_one

CALLS = {
    "chainrules.shortcuts.numpy.linalg.inv.inv_of_plain": lambda: calls_of_one(np.linalg.inv, 3, 5),
    "chainrules.shortcuts.numpy.linalg.inv.push_inv_of_plain": lambda: pushed_of_one(np.linalg.inv, 3, 5),
}


def test_singular_matrices_are_refused():
    """As NumPy does."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        rrule(np.linalg.inv, np.zeros((2, 2)))
