"""How running reductions are asked for."""

import numpy as np
import pytest

from chainrules.values.running_reductions import read_cumulative, read_running, without_start
from tests.chainrules.rule_checks import normal


def test_axes():
    """That of the flattened array, where none is given, is its only one."""
    assert read_running(np.cumsum, normal(2)) is None
    assert read_running(np.cumsum, normal(2, 2), 1) == 1
    assert read_cumulative(np.cumsum, normal(2)) == (0, False)
    assert read_cumulative(np.cumsum, normal(2, 2), axis=1, include_initial=True) == (1, True)


def test_refusals():
    """Results that are written into an array."""
    with pytest.raises(TypeError, match="out="):
        read_running(np.cumsum, normal(2), out=np.zeros(2))
    with pytest.raises(TypeError, match="out="):
        read_cumulative(np.cumsum, normal(2), out=np.zeros(2))


def test_without_start():
    """All but the first, along an axis."""
    np.testing.assert_array_equal(without_start(np.arange(6).reshape(2, 3), 1), [[1, 2], [4, 5]])
