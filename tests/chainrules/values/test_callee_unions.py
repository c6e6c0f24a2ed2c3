"""The type of any of several callees."""

import numpy as np
import pytest

from chainrules.values.callee_unions import typeof_any


@pytest.mark.parametrize(("f", "is_member"), [(np.max, True), (np.add.reduce, True), (np.sin, False)])
def test_members(f, is_member):
    """Each of the functions is an instance, and no other."""
    assert isinstance(f, typeof_any((np.max, np.min, np.add.reduce))) is is_member
