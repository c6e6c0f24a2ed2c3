"""The classes of traced values."""

import numpy as np
import pytest

from chainrules.ad import TracedValue
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.traced_classes import traced_value
from chainrules.ad.traced.traced_value import TracedCallable, TracedObject
from chainrules_core.structured import Diagonal


def test_what_carries_an_object_can_be_called_at_every_level():
    """A carrier of an object can be called; a carrier of a number cannot."""
    trace = ReverseTrace()
    number, thing = traced_value(1.5, None, trace), traced_value(abs, None, trace)

    assert (type(number), type(traced_value(number, None, trace))) == (TracedValue, TracedValue)
    assert (type(thing), type(traced_value(thing, None, trace))) == (TracedCallable, TracedCallable)


@pytest.mark.parametrize(
    "x", [1.5, 1j, np.float64(1.5), np.float32(1.5), np.complex64(1j), np.ones(2)], ids=repr
)
def test_numbers_and_arrays(x):
    """Their carriers are of one class; those of other objects are of another, at every level."""
    trace = ReverseTrace()
    for value, cls in ((x, TracedValue), (Diagonal(np.ones(2)), TracedObject)):
        traced = traced_value(value, None, trace)
        assert type(traced) is type(traced_value(traced, None, trace)) is cls
