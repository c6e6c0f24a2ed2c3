"""Functions that create arrays."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_declared, check_rule, normal


@pytest.mark.parametrize("f", [np.zeros_like, np.ones_like], ids=lambda f: f.__name__)
def test_does_not_depend_on_the_values(f):
    """The result has the argument's shape, and does not move with it."""
    test_frule(f, normal(3, 4))
    test_rrule(f, normal(3, 4))


@pytest.mark.parametrize("f", [np.zeros, np.ones, np.eye, np.identity, np.tri], ids=lambda f: f.__name__)
def test_depends_on_a_size(f):
    """An integer has no derivative."""
    test_frule(f, 3)
    test_rrule(f, 3)


def test_empty_passes_no_derivative():
    """What stands in a new array by chance depends on nothing."""
    check_declared(np.empty, 3)


def test_empty_like_passes_no_derivative():
    """What stands in a new array by chance depends on nothing."""
    y, pullback = rrule(np.empty_like, normal(3))

    assert y.shape == (3,)
    assert pullback(np.ones(3)) == (NoTangent(), NoTangent())


def test_in_a_program():
    """A program may start from an array of zeros."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.zeros_like(x) + x))(normal(3)), np.ones(3))


@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (np.full, ((2, 3), 1.5), {}),
        (np.full, (4, np.float32(1.5)), {}),
        (np.full, ((2, 3), normal(3)), {}),
        (np.full, ((2, 3), normal(2, 1, dtype=complex), complex), {}),
        (np.full, ((2, 3),), {"fill_value": 1.5}),
        (np.full, ((0, 3), 1.5), {}),
        (np.full, ((), 1.5), {"dtype": np.float32}),
        (np.full_like, (normal(2, 3), 1.5), {}),
        (np.full_like, (normal(2, 3, dtype=np.float32), normal(3)), {}),
        (np.full_like, (np.arange(3), 1.5), {"dtype": float}),
        (np.full_like, (normal(2), 1.5, float, "C", True, (2, 2)), {}),
    ],
)
def test_full(f, args, options):
    """The value gets the cotangents of all elements; the array that is imitated gets none."""
    if "fill_value" in options:
        assert grad(lambda value: np.sum(call(f, *args, fill_value=value)))(1.5) == 6.0
    else:
        check_rule(f, *args, **options)


def test_full_of_integers_has_no_derivative():
    """A value that is cut to an integer is constant between jumps."""
    assert frule((NoTangent(), NoTangent(), 1.0), np.full_like, np.arange(3), 1.5)[1] is NoTangent()
