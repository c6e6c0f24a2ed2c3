"""The classes of values that shortcuts look for."""

import numpy as np

from chainrules.shortcuts.plain_values import HAVE_DTYPES


def test_instances_have_a_dtype():
    """So that it can be compared without asking for it."""
    assert {type(np.ones(2)), type(np.sum(np.ones(2)))} == HAVE_DTYPES
    assert all(hasattr(cls, "dtype") for cls in HAVE_DTYPES)
