"""The rules of Python's operators, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import InplaceableThunk, add_inplace, debugging, rrule
from tests.chainrules.rule_checks import check_rule, normal, positive, read_only

BINARY = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize(
    "operands",
    [
        (1.5, 2.5),
        (3, 2.5),
        (1 + 2j, 2.0),
        (np.float64(1.5), 2.0),
        (normal(3, 4), positive(4)),
        (normal(3, 4), 2.5),
        (1.5, positive(3, 1)),
        (np.array(1.5), np.array(2.0)),
        (normal(0, 3), positive(3)),
        (normal(3, dtype=np.float32), positive(3, dtype=np.float32)),
        (normal(3), positive(3, dtype=complex)),
    ],
)
@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_arithmetic(f, operands):
    """The operators have the derivatives of NumPy's functions; divisors from 0.5 to 2.5."""
    check_rule(f, *operands)


@pytest.mark.parametrize("x", [1.5, 1.5 + 2j, normal(3, 4), normal(2, dtype=np.float32), normal(0)])
@pytest.mark.parametrize("f", [operator.neg, operator.pos], ids=lambda f: f.__name__)
def test_signs(f, x):
    """Negatives of all numbers."""
    check_rule(f, x)


# --- pow -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "p"),
    [
        (1.5, 2.5),
        (1.5, 2),
        (2, 1.5),
        (1.5 + 1j, 2.5),
        (positive(3, 4), normal(4)),
        (positive(3, 4), 2),
        (1.5, normal(3)),
        (positive(3, dtype=np.float32), 2.5),
        (positive(3, dtype=complex), normal(3)),
    ],
)
def test_pow(x, p):
    """Powers of positive numbers."""
    check_rule(operator.pow, x, p)


def test_pow_of_a_negative_float_is_complex():
    """Python answers ``(-8.0)**(1/3)`` with a complex number, and its derivative is one too."""
    check_rule(operator.pow, -8.0, 1 / 3)


def test_pow_at_zero_has_an_infinite_slope_and_raises_nothing():
    """``x**0.5`` rises infinitely steeply from 0, for Python's numbers as for NumPy's, and for integers."""
    for x in (0.0, 0, np.float64(0.0), np.array(0.0)):
        assert rrule(operator.pow, x, 0.5)[1](1.0)[1] == np.inf
    assert grad(lambda x: x**0.5)(0.0) == np.inf


def test_pow_zero_is_constant():
    """``x**0`` is 1 for every base, also for second derivatives."""
    assert grad(lambda x: x**0)(0.0) == 0.0
    assert grad(grad(lambda x: x**1))(0.0) == 0.0
    assert grad(grad(lambda x: x**2))(0.0) == 2.0


# --- matmul ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((5, 2, 3), (3, 4))])
def test_matmul(a, b):
    """``@`` has the derivatives of `numpy.matmul`."""
    check_rule(operator.matmul, normal(*a), normal(*b, seed=1))


# --- getitem ---------------------------------------------------------------------------------------

VECTOR, MATRIX, CUBE = normal(4), normal(3, 4), normal(2, 3, 4)
MASK = MATRIX > 0

INDICES = {
    "integer": (VECTOR, 0),
    "negative integer": (VECTOR, -1),
    "NumPy's integer": (VECTOR, np.int64(2)),
    "slice": (VECTOR, slice(1, 3)),
    "backward slice": (VECTOR, slice(None, None, -2)),
    "empty slice": (VECTOR, slice(2, 2)),
    "slice of nothing": (VECTOR[:0], slice(None)),
    "newaxis": (VECTOR, None),
    "element": (MATRIX, (1, 2)),
    "row": (MATRIX, 1),
    "ellipsis": (MATRIX, ...),
    "ellipsis and integer": (MATRIX, (..., 1)),
    "newaxis and integer": (MATRIX, (None, 1)),
    "boolean array": (MATRIX, MASK),
    "boolean array of rows": (MATRIX, MASK[:, 0]),
    "boolean list": (VECTOR, [True, False, True, True]),
    "integer array": (MATRIX, np.array([0, 2])),
    "integer array with repeats": (MATRIX, np.array([0, 0, 2])),
    "integer array without axes": (VECTOR, np.array(1)),
    "list with repeats": (MATRIX, [0, 0, 2]),
    "empty list": (VECTOR, []),
    "pairs with repeats": (MATRIX, ([0, 0], [1, 1])),
    "integer array and slice": (MATRIX, (np.array([[0, 1], [1, 1]]), slice(1, 3))),
    "slice and integer array": (MATRIX, (slice(None), np.array([3, 3, 0]))),
    "integer, ellipsis and list": (CUBE, (0, ..., [1, 1])),
    "no axes": (np.array(1.5), ()),
    "no axes, ellipsis": (np.array(1.5), ...),
    "complex": (normal(3, 4, dtype=complex), (0, [1, 1])),
    "single precision": (normal(3, 4, dtype=np.float32), [0, 0]),
    "not contiguous": (normal(8)[::2], [0, 0, 1]),
    "read-only": (read_only(VECTOR), [0, 0, 1]),
}


@pytest.mark.parametrize(("x", "index"), INDICES.values(), ids=INDICES)
def test_getitem(x, index):
    """Indices of every kind: what an index picks several times gets the sum of the cotangents."""
    check_rule(operator.getitem, x, index)


@pytest.mark.parametrize("index", [1, slice(0, 2), [0, 0], np.array([True, False, True])])
def test_getitem_adds_in_place(index):
    """The cotangent adds itself into an array, which costs what the index picks, not what the array holds."""
    x = normal(3)
    y, pullback = rrule(operator.getitem, x, index)
    x_bar = pullback(np.ones_like(y))[1]
    accumulated = np.ones(3)

    assert isinstance(x_bar, InplaceableThunk)
    with debugging():
        total = add_inplace(accumulated, x_bar)
    assert total is accumulated
    np.testing.assert_array_equal(total, 1 + np.asarray(x_bar))


def test_getitem_of_a_real_array_adds_the_real_part():
    """A complex cotangent is brought to a real array before it is added in place."""
    x_bar = rrule(operator.getitem, normal(3), 0)[1](2.0 + 5.0j)[1]

    with debugging():
        np.testing.assert_array_equal(add_inplace(np.zeros(3), x_bar), [2.0, 0.0, 0.0])
