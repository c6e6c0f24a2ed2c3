"""The rules of copies, against finite differences."""

import copy

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import Tangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize(
    "x", [1.5, 1 + 2j, normal(3), [1.5, normal(2)], {"a": (1.5, "on")}, normal(2, dtype=np.float32)]
)
@pytest.mark.parametrize("f", [copy.copy, copy.deepcopy])
def test_copies(f, x):
    """Of numbers, arrays and containers."""
    test_frule(f, x)
    test_rrule(f, x)


@pytest.mark.parametrize("f", [copy.copy, copy.deepcopy])
def test_second_derivatives(f):
    """The pullback is traced, too."""
    check_both_modes(f, [1.5, normal(2)])


def test_a_memo_is_no_argument_to_differentiate():
    """It gets no tangent."""
    y, pullback = rrule(copy.deepcopy, [1.5], {})
    assert y == [1.5]
    assert pullback(Tangent[list](2.0))[1] == Tangent[list](2.0)
    assert len(pullback(Tangent[list](2.0))) == 3


@pytest.mark.parametrize("f", [copy.copy, copy.deepcopy])
def test_the_cotangent_is_in_the_space_of_the_original(f):
    """Of a complex one the real part."""
    assert rrule(f, 1.5)[1](2.0 + 5.0j)[1] == 2.0
    np.testing.assert_array_equal(rrule(f, normal(2))[1](np.array([2.0, 3.0j]))[1], [2.0, 0.0])


def test_traced():
    """The copy of a traced value is traced."""
    assert grad(lambda x: call(copy.deepcopy, [x, x * x])[1])(3.0) == 6.0
