"""What bridges take."""

import numpy as np
import pytest

import chainrules.adapters
from chainrules.adapters import AdapterError
from chainrules.adapters.callees import checked_callee
from chainrules_core import primitive


def test_functions_are_taken():
    """Of a primitive, the function itself."""
    assert checked_callee(np.sin, "to_torch") is np.sin
    assert checked_callee(primitive(np.sin), "to_torch") is np.sin
    assert checked_callee(int, "to_torch") is int


@pytest.mark.parametrize("bridge", [name for name in chainrules.adapters.__all__ if "_" in name])
def test_others_are_refused(bridge):
    """At once, and not when the result is called."""
    pytest.importorskip(bridge.partition("_")[2])
    with pytest.raises(AdapterError, match=rf"{bridge}\(3\.0\): it takes a function, not a float"):
        getattr(chainrules.adapters, bridge)(3.0)
