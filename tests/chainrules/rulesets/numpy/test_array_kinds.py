"""The rules of conversions between kinds of arrays and of copies, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call, compiled, grad
from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.several_array_checks import check_several

CONVERSIONS = [
    np.array,
    np.asarray,
    np.asanyarray,
    np.asarray_chkfinite,
    np.ascontiguousarray,
    np.asfortranarray,
    np.copy,
    np.require,
]
OF_LISTS = [np.array, np.asarray, np.asarray_chkfinite]


@pytest.mark.parametrize("f", CONVERSIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "x", [1.5, np.float32(1.5), normal(3), normal(2, 3).T, normal(3, dtype=complex), normal(0, 3)]
)
def test_conversions(f, x):
    """The elements stay what they are."""
    check_rule(f, x)


@pytest.mark.parametrize("f", OF_LISTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "x",
    [
        [1.5, 2.5],
        (1.5, 2.5j),
        [[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]],
        [normal(3), normal(3, seed=1)],
        [(1.5, normal()), [2.5, np.array(3.5)]],
    ],
)
def test_nested_lists(f, x):
    """The cotangent has the structure of the lists."""
    check_several(f, x)


def test_options():
    """The precision of the argument comes back, and so does its rank."""
    check_rule(np.array, normal(3, dtype=np.float32), dtype=np.float64)
    check_rule(np.array, normal(3), complex)
    check_rule(np.array, normal(3), ndmin=3)
    check_several(np.array, [1.5, 2.5], ndmin=2)
    check_rule(np.require, normal(3, 2), None, ["F"])
    check_rule(np.copy, normal(2, 3), order="F")


def test_conversion_to_integers_has_no_derivative():
    """Between its jumps it is constant."""
    assert grad(lambda x: x[0] * call(np.array, x, int)[0])(np.array([2.5])) == [2.0]
    y, y_dot = frule((NoTangent(), normal(1), NoTangent()), np.array, np.array([2.5]), int)
    assert (y.tolist(), y_dot) == ([2], NoTangent())


def test_astype():
    """As the method of arrays."""
    check_rule(np.astype, normal(3, dtype=np.float32), np.float64)
    check_rule(np.astype, normal(3), complex, copy=False)


def test_astype_copies_unless_told_not_to():
    """As NumPy's function."""
    x = normal(3)

    assert not np.shares_memory(rrule(np.astype, x, float)[0], x)
    assert rrule(np.astype, x, float, copy=False)[0] is x


@pytest.mark.parametrize("f", [np.array, np.asarray, np.asanyarray])
def test_lists_are_copied_once(f):
    """Of traced numbers an array is made by one operation."""
    gradient = compiled(grad(lambda x: np.sum(f([x[0], x[1] * x[0]]) ** 2)))
    assert np.allclose(gradient(np.array([2.0, 3.0])), [40.0, 24.0])
    assert f"np.{f.__name__}(" not in gradient.source(np.array([2.0, 3.0])).replace("np.array([x[0]", "")
