"""The numbers and arrays in a value."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

from chainrules.ad import grad
from chainrules.ad.values.held_numbers import agree, held_numbers
from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk
from chainrules_core.structured import Diagonal


@dataclass
class Line:
    """A value with fields."""

    slope: float
    name: str


X = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.5, [1.5]),
        (1 + 2j, [1 + 2j]),
        (np.float32(2), [2]),
        (X, [X]),
        ((X, {"a": [3.0]}), [X, 3.0]),
        (Line(2.0, "name"), [2.0]),
        (Tangent[Line](slope=4.0), [4.0]),
        (Diagonal(X), [X]),
        (sparse.csr_array(np.diag(X)), [X]),
        (sparse.lil_array(np.diag(X)), [X]),
        (lambda: X, []),
    ],
)
def test_numbers_and_arrays(value, expected):
    """Numbers, arrays and what containers, structures and sparse arrays hold, in their order."""
    found = list(held_numbers(value))

    assert len(found) == len(expected)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("value", [1, True, "text", None, np.arange(3), ZeroTangent(), NoTangent(), ()])
def test_nothing(value):
    """What is no real or complex number holds none."""
    assert list(held_numbers(value)) == []


def test_closures_hold_their_variables():
    """A function that closes over an array holds it."""
    y = X + 1

    assert [id(found) for found in held_numbers(lambda: y)] == [id(y)]


def test_thunks_are_not_computed():
    """Looking at a thunk does not compute it."""

    def fail():
        raise AssertionError("it was computed")

    assert list(held_numbers((thunk(fail), Tangent[Line](slope=thunk(fail))))) == []


def test_traced_values_are_looked_through():
    """A traced value holds the number that it carries, however deep the nesting."""
    found = []

    def f(x):
        found.extend(held_numbers([x]))
        return np.sum(x)

    grad(lambda x: np.sum(grad(f)(x)))(X)

    assert [id(number) for number in found] == [id(X)]


@pytest.mark.parametrize(
    ("y", "other", "expected"),
    [
        (1.0, 1.0 + 1e-12, True),
        (1.0, 1.001, False),
        (np.array([1e8, 1.0]), np.array([1e8, 1.5]), True),
        (np.array([1.0, np.nan, np.inf]), np.array([1.0, np.nan, np.inf]), True),
        (np.ones(2), np.array([1.0, np.nan]), False),
        (np.ones(2), np.ones(3), False),
        (np.ones(2), 1.0, False),
        (np.ones(2), [1.0, 1.0], False),
        (np.array(1.0), 1.0, True),
        (1.0, "text", False),
        (1.0, None, False),
        (1e-12, 2e-12, False),
        (np.array([1e-12]), np.array([2e-12]), False),
        ([np.ones(2), 0.25], [np.ones(2), np.float32(0.25)], True),
        ([np.ones(2)], [np.ones((2, 1))], False),
        (np.arange(3), np.arange(1, 4), True),
        (np.arange(3), np.arange(4), False),
        (np.zeros(0), np.zeros(0), True),
        (np.float32([1.0]), np.float32([1.0001]), True),
        ({"a": (1.0, 2)}, {"a": (1.0, 3)}, True),
        ([1.0], [1.0, 2.0], False),
    ],
)
def test_agreement(y, other, expected):
    """Results agree if their real and complex numbers do, up to rounding, beside the largest of an array."""
    assert agree(y, other) is expected
    assert agree(other, y) is expected
