"""What is in autograd's boxes."""

import numpy as np
import pytest

pytest.importorskip("autograd")

import autograd
from autograd.extend import Box, VSpace

from chainrules.adapters import AdapterError
from chainrules.adapters.autograd import to_autograd
from chainrules.adapters.autograd.boxes import hold_numbers_and_arrays


class Interval:
    """A class that somebody registered with autograd."""

    def __init__(self, low, high):
        self.low, self.high = low, high


class IntervalBox(Box):
    """Its box."""

    __slots__ = ()


class IntervalVSpace(VSpace):
    """Its vector space."""

    def zeros(self):
        """The zero."""
        return Interval(0.0, 0.0)


def test_a_box_of_an_unknown_class_is_refused():
    """Nobody knows where the numbers in it are."""
    IntervalBox.register(Interval)
    IntervalVSpace.register(Interval)

    with pytest.raises(AdapterError, match="was called with an autograd IntervalBox of a Interval"):
        autograd.grad(to_autograd(lambda x: x.low))(Interval(1.0, 2.0))


def test_integers_in_nested_boxes_are_refused():
    """However many derivatives are taken."""
    inner = autograd.elementwise_grad(to_autograd(np.sin))

    with pytest.raises(AdapterError, match="int64"):
        autograd.elementwise_grad(inner)(np.arange(3))


def test_numbers_and_arrays():
    """Boxes of them are known to hold nothing else; boxes of containers hold others."""
    seen = []

    def f(x):
        boxes = [x, x["a"], x["b"]]
        seen.extend(hold_numbers_and_arrays([box], None) for box in boxes)
        seen.append(hold_numbers_and_arrays(boxes[1:], None))
        return x["a"]

    autograd.grad(f)({"a": 1.5, "b": np.ones(2)})
    assert seen == [False, True, True, True]
