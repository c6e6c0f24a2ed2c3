"""Which precision a value has, and what it allows."""

import numpy as np
import pytest

from chainrules_testutils.values.precision import (
    ANY_VALUE,
    Tolerance,
    coarse_tolerance,
    in_double_precision,
    precision_of,
    tolerance_for,
    with_floats,
)
from tests.chainrules_testutils.rules_under_test import Foo


@pytest.mark.parametrize(
    ("x", "dtype"),
    [
        (1.0, np.float64),
        ("text", np.float64),
        (np.ones(2), np.float64),
        ((1.0, np.float32(1)), np.float32),
        (Foo(np.ones(2, dtype=np.complex64), 1.0), np.float32),
        ([np.float32(1), np.float16(1)], np.float16),
    ],
)
def test_lowest_precision(x, dtype):
    """The lowest precision of NumPy's numbers and arrays counts; Python's numbers are double."""
    assert precision_of(x) == dtype


def test_double_precision():
    """Lower precision is widened, everything else is the same object."""
    wide = in_double_precision((np.float32(1.5), np.ones(2, dtype=np.complex64), "a", 1))

    assert [getattr(x, "dtype", None) for x in wide] == [np.float64, np.complex128, None, None]
    x = (1.0, np.ones(2))
    assert in_double_precision(x) is x


def test_floats():
    """Integers become floats; booleans and strings do not."""
    assert with_floats((1, True, "a", 2.5)) == (1.0, True, "a", 2.5)
    assert [type(x) for x in with_floats((1, True))] == [float, bool]
    assert with_floats(np.array([1, 2])).dtype == np.float64


def test_default_tolerances():
    """1e-9 in double precision, 1e-4 in single, 1e-2 in half; what is asked for goes first."""
    assert tolerance_for(1.0, None, None) == Tolerance(1e-9, 1e-9)
    assert tolerance_for(np.float32(1), None, None) == Tolerance(1e-4, 1e-4)
    assert tolerance_for(np.float16(1), None, None) == Tolerance(1e-2, 1e-2)
    assert tolerance_for(1.0, 0.5, None) == Tolerance(0.5, 1e-9)


@pytest.mark.parametrize(
    ("x", "y", "close"),
    [
        (1.0, 1.0 + 1e-4, True),
        (1.0, 1.0 + 3e-3, False),
        (0.0, 1e-3, True),
        (1000.0, 1000.5, True),
        (1000.0, 1002.0, False),
        (np.inf, np.inf, True),
        (np.inf, -np.inf, False),
        (np.inf, 1.0, False),
        (np.nan, np.nan, False),
    ],
)
def test_tolerance(x, y, close):
    """Absolute for small numbers, relative for large ones; infinity equals itself, NaN nothing."""
    assert Tolerance(1e-3, 1e-3).allows(np.asarray(x), np.asarray(y)) == close


def test_arrays_are_measured_by_their_largest_element():
    """An error that is small for the array is allowed in a small element, but not a larger one."""
    x = np.array([1e6, 1.0])

    assert Tolerance(1e-9, 1e-9).allows(x, x + np.array([0.0, 1e-4])).all()
    assert Tolerance(1e-9, 1e-9).allows(x, x + np.array([0.0, 1e-2])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("atol", "largest", "is_coarse"),
    [(None, 1e-5, False), (1e-3, 1e-5, True), (1e-5, 1e-5, True), (1e-6, 1e-5, False), (1e-3, 1e-9, False)],
)
def test_coarse_tolerances(atol, largest, is_coarse):
    """One that exceeds every derivative, unless they are all zero but for rounding."""
    texts = list(coarse_tolerance(atol, Tolerance(1e-9, 1e-9), largest))

    assert len(texts) == is_coarse
    assert all(f"atol={atol:g} exceeds every derivative" in text for text in texts)


def test_any_value():
    """It compares nothing but structures."""
    assert ANY_VALUE.allows(np.array([0.0, 1.0]), np.array([1e300, -1.0])).all()
