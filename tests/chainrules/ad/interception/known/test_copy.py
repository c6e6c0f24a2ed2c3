"""Copies of objects, whose own methods are entered."""

import copy
import math

import pytest

from chainrules.ad import grad


class Copied:
    """Its copies hold the sine."""

    def __init__(self, x):
        self.x = x

    def __copy__(self):
        return Copied(math.sin(self.x))

    def __deepcopy__(self, memo):
        return Copied(math.sin(self.x))


@pytest.mark.parametrize("f", [copy.copy, copy.deepcopy, lambda x: copy.deepcopy(x, {})])
def test_own_methods(f):
    """They are followed."""
    assert grad(lambda x: f(Copied(x)).x)(0.5) == pytest.approx(math.cos(0.5))


def test_one_copy_of_an_object():
    """It is found in the memo, as Python has it."""

    def f(x):
        memo, copied = {}, Copied(x)
        return copy.deepcopy(copied, memo) is copy.deepcopy(copied, memo)

    assert grad(lambda x: x if f(x) else 2.0 * x)(0.5) == 1.0
