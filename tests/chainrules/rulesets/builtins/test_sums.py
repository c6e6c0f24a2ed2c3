"""The rules of ``sum``, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import NoTangent, Tangent, frule, rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize(
    "xs",
    [
        [1.5, 2.5],
        (1.5, 2.5 + 1j),
        [normal(2), 1.5, normal(3, 1, seed=1)],
        [],
        {1.5: "keys", 2.5: "are constants"},
        normal(3),
        normal(3, 2),
        normal(3, 2, dtype=np.float32),
        normal(3, dtype=complex),
    ],
)
def test_sum(xs):
    """Of lists, tuples and arrays, of numbers and of arrays that broadcast."""
    check_both_modes(sum, xs)


@pytest.mark.parametrize(
    ("xs", "start"),
    [([1.5, 2.5], 3.5), (normal(3, 2), 1.5), (normal(2), normal(3)), ([], 1.5), ([1.5], normal(2))],
)
def test_sum_from_a_start(xs, start):
    """The start gets a cotangent."""
    check_both_modes(sum, xs, start)
    check_both_modes(sum, xs, start=start)


def test_sum_of_an_array_is_traced():
    """Also with a start by keyword."""
    check_rule(sum, normal(3, 2))
    assert grad(lambda start: call(sum, [1.5, 2.5], start=start))(1.0) == 1.0


def test_sum_of_an_iterator():
    """It is read once; its cotangent is that of the tuple of its items."""
    y, pullback = rrule(sum, (x for x in (1.5, 2.5)))
    assert y == 4.0
    assert pullback(3.0)[1] == pullback(3.0)[1] == Tangent[tuple](3.0, 3.0)


def test_sum_of_lists_is_none_of_numbers():
    """It joins them, and has no rule."""
    assert rrule(sum, [[1.5], [2.5]], []) is None
    assert frule((NoTangent(),) * 3, sum, [[1.5], [2.5]], []) is None
