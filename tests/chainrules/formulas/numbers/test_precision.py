"""Operands in the precision of a result."""

import numpy as np
import pytest

from chainrules.formulas.numbers.precision import as_precise, like_result, no_finer


@pytest.mark.parametrize(
    ("y", "kind"), [(1.0, "f"), (1j, "c"), (np.zeros(2), "f"), (np.zeros(2, complex), "c")]
)
@pytest.mark.parametrize("x", [2, 2.0, np.array([1, 2])])
def test_like_result(x, y, kind):
    """The same values, as floats or complex numbers."""
    assert np.asarray(like_result(x, y)).dtype.kind == kind
    np.testing.assert_array_equal(like_result(x, y), x)


@pytest.mark.parametrize(
    ("x", "z", "dtype"),
    [
        (np.float32(1.5), np.float64(0.5), np.float64),
        (np.ones(2, np.int8), np.ones(2), np.float64),
        (np.ones(2, np.float32), np.ones(2, complex), np.float64),
        (np.ones(2), np.ones(2, np.float32), np.float64),
        (np.ones(2, np.complex64), np.ones(2), complex),
        (np.ones(2, np.int8), np.ones(2, bool), np.int8),
    ],
)
def test_as_precise(x, z, dtype):
    """An operand has at least the precision of the result, if that is no integer, and stays real."""
    assert as_precise(x, z).dtype == dtype
    np.testing.assert_array_equal(as_precise(x, z), x)


@pytest.mark.parametrize(("x", "z"), [(1.5, np.ones(2)), (np.float32(1.5), 2.5), (np.ones(2), np.ones(2))])
def test_as_precise_without_need(x, z):
    """Python's numbers have no precision of their own, and what has that of the result is returned itself."""
    assert as_precise(x, z) is x


@pytest.mark.parametrize(
    ("x", "y", "dtype"),
    [
        (np.ones(2), np.ones(2, np.float32), np.float32),
        (np.float64(1.5), np.float32(0.5), np.float32),
        (np.ones(2, complex), np.ones(2, np.complex64), np.complex64),
        (np.ones(2, np.float32), np.ones(2), np.float32),
        (np.ones(2), np.ones(2, np.complex64), np.float64),
        (np.ones(2), 1.5, np.float64),
    ],
)
def test_no_finer(x, y, dtype):
    """A partial derivative has at most the precision of the result, if both are real or both complex."""
    assert no_finer(x, y).dtype == dtype
    np.testing.assert_array_equal(no_finer(x, y), x)
    assert no_finer("anything", y) == "anything"
