"""The classes of traced values."""

from chainrules.ad import TracedValue
from chainrules.ad.reverse_trace import ReverseTrace
from chainrules.ad.traced_classes import traced_value
from chainrules.ad.traced_value import TracedCallable


def test_what_carries_an_object_can_be_called_at_every_level():
    """A carrier of an object can be called; a carrier of a number cannot."""
    trace = ReverseTrace()
    number, thing = traced_value(1.5, None, trace), traced_value(abs, None, trace)

    assert (type(number), type(traced_value(number, None, trace))) == (TracedValue, TracedValue)
    assert (type(thing), type(traced_value(thing, None, trace))) == (TracedCallable, TracedCallable)
