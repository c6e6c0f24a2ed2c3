"""Functions of each element, beside loops."""

import math
import operator

import numpy as np
import pytest
import scipy.special

from chainrules.ad import vectorized
from tests.chainrules.ad.recording.batching.loops import agrees_with_loop, assert_same

A = np.random.default_rng(1).normal(size=(3, 4))
SQUARE = np.random.default_rng(2).normal(size=(4, 4)) + 4.0 * np.eye(4)
V = np.random.default_rng(3).normal(size=4)


UNARY = [np.sin, np.exp, np.abs, np.conjugate, np.real, np.isnan, np.round, np.sinc, scipy.special.erf]
UNARY += [operator.neg, abs, np.nan_to_num]


@pytest.mark.parametrize("f", UNARY)
@pytest.mark.parametrize("shape", [(), (3, 4)])
def test_functions_of_each_element(f, shape):
    """They run once, for numbers and arrays."""
    assert agrees_with_loop(f, shape) == set()


@pytest.mark.parametrize("f", [np.add, np.arctan2, np.maximum, operator.mul, operator.lt, operator.floordiv])
@pytest.mark.parametrize(
    "shapes", [((), (3,)), ((3,), ()), ((4,), (3, 4)), ((1, 4), (3, 1)), ((2, 3, 4), (4,)), ((), ())]
)
def test_axes_meet_as_in_each_item(f, shapes):
    """An axis of items never meets another axis, also beside arrays that are the same for all."""
    first, second = (np.random.default_rng(4).normal(size=shape) for shape in shapes)
    assert agrees_with_loop(f, *shapes) == set()
    assert agrees_with_loop(lambda x: f(x, second), shapes[0]) == set()
    assert agrees_with_loop(lambda x: f(first, x), shapes[1]) == set()


def test_numbers_of_pythons_do_not_widen():
    """`math.exp` gives a number of Python's, beside which an array in single precision stays one."""
    assert agrees_with_loop(lambda x: math.exp(x) * x, (), dtype=np.float32) == set()


def test_powers_of_numbers_are_those_of_numbers():
    """An array to the power of one half is a square root, which has no value at minus infinity."""
    xs = np.array([-np.inf, 4.0])
    with np.errstate(invalid="ignore"):
        assert_same(vectorized(lambda x: x**0.5)(xs), [x**0.5 for x in xs])


def test_lists_beside_items():
    """They run item by item."""
    assert agrees_with_loop(lambda x: np.add(x, [1.0, 2.0, 3.0]), (3,)) == {"add"}
