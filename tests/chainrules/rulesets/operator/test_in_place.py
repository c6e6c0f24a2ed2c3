"""The rules behind augmented assignments: out of place for numbers, an error for arrays and lists."""

import operator

import numpy as np
import pytest

from chainrules.rulesets.operator.in_place import OUT_OF_PLACE
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes, check_refused
from tests.chainrules.rule_checks import check_rule, normal

NUMBERS = [f for f in OUT_OF_PLACE if f not in (operator.iconcat, operator.imatmul)]


@pytest.mark.parametrize("f", NUMBERS)
@pytest.mark.parametrize(("x", "y"), [(2.3, 1.7), (2.3, np.array([0.5, 1.5]))])
def test_numbers(f, x, y):
    """A number is not changed: the form is the operator."""
    check_rule(f, x, y)


@pytest.mark.parametrize("f", [operator.iadd, operator.iconcat])
def test_tuples(f):
    """Nor is a tuple."""
    check_both_modes(f, (1.5,), (2.5, 3.5))


@pytest.mark.parametrize("f", OUT_OF_PLACE)
def test_arrays_are_not_changed(f):
    """An array would be changed: an error says so, and what to write; the array is as it was."""
    x = np.ones((2, 2))
    name = f"operator.{f.__name__}"
    check_refused(
        f, x, x, match=rf"{name} of a ndarray .* in place.*operator\.{OUT_OF_PLACE[f].__name__}\(x, y\)"
    )
    np.testing.assert_array_equal(x, 1.0)


def test_containers_are_not_changed():
    """Lists and dicts neither."""
    check_refused(operator.iadd, [1.5], [2.5], match="list in place")
    check_refused(operator.ior, {"a": 1.5}, {"a": 2.5}, match=r"operator\.or_")
    check_refused(operator.setitem, normal(3), 0, 1.5, match=r"np\.where")
    check_refused(operator.delitem, [1.5, 2.5], 0, match="without the item")


def test_matrices_have_no_in_place_form():
    """`imatmul` is of arrays only."""
    assert rrule(operator.imatmul, 1.5, 2.5) is None


@pytest.mark.parametrize(
    "f", [operator.iand, operator.ilshift, operator.ior, operator.irshift, operator.ixor, operator.ifloordiv]
)
def test_no_derivative(f):
    """In-place forms of integers have no derivative."""
    test_frule(f, 6, 2)
    test_rrule(f, 6, 2)
