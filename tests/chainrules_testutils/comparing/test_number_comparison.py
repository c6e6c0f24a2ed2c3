"""One check tells the worst element."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import ZeroTangent
from chainrules_testutils import Outcome
from chainrules_testutils.comparing.number_comparison import compared_numbers, is_numeric
from chainrules_testutils.values.precision import Tolerance

EXACT = Tolerance(0.0, 0.0)


@pytest.mark.parametrize(
    "x", [1, 1.0, 1j, True, np.bool_(1), np.float32(1), Fraction(1, 2), np.ones(2), scipy.sparse.eye_array(2)]
)
def test_numeric(x):
    """Numbers of any kind, and dense and sparse arrays of them, are compared as numbers."""
    assert is_numeric(x)
    assert compared_numbers(x, x, "here", EXACT).outcome is Outcome.PASSED


@pytest.mark.parametrize("x", ["a", None, (1.0,), ZeroTangent(), np.array(["a"]), np.array([None])])
def test_not_numeric(x):
    """Everything else is no number."""
    assert not is_numeric(x)


def test_worst_element():
    """The element with the largest error is told, NaN before all others."""
    actual, expected = np.array([1.0, 5.0, 2.0]), np.array([1.5, 2.0, 2.0])

    assert compared_numbers(actual, expected, "here", EXACT).message.splitlines() == [
        "here, index (1,): wrong value",
        "actual   5.0",
        "expected 2.0",
        "abs error 3.0e+00, rel error 6.0e-01 (allowed: rtol 0, atol 0)",
        "2 of 3 elements differ; this is the worst",
    ]
    assert "index (2,)" in compared_numbers(actual, [1.5, 2.0, np.nan], "here", EXACT).message
    assert "index (1,)" in compared_numbers(actual, [9.0, -5.0, 2.0], "here", EXACT).message


def test_differences_of_unsigned_integers():
    """Differences do not wrap around."""
    zero, one = np.array([0], dtype=np.uint8), np.array([1], dtype=np.uint8)

    assert "abs error 1.0e+00" in compared_numbers(zero, one, "here", EXACT).message


@pytest.mark.parametrize(
    ("actual", "expected"), [(0.0, np.nan), (np.nan, 0.0), (0.0, np.inf), (np.array([0.0]), [np.nan])]
)
def test_numbers_that_are_not_finite(actual, expected):
    """They are a failure like others, beside zero too."""
    check = compared_numbers(actual, expected, "here", EXACT)

    assert check.outcome is Outcome.FAILED
    assert "rel error nan" in check.message


def test_elements_that_are_close_are_not_the_worst():
    """However small the error of another is; a number alone is not counted."""
    loose = Tolerance(0.0, 0.3)
    check = compared_numbers(np.array([1.0, 1.0]), np.array([1.2, 0.5]), "here", loose)

    assert check.message.startswith("here, index (1,): wrong value")
    assert "1 of 2 elements differ" in check.message
    assert "elements differ" not in compared_numbers(1.0, 2.0, "here", EXACT).message
    assert "elements differ" not in compared_numbers(np.ones(1), np.zeros(1), "here", EXACT).message


def test_numbers_of_other_types():
    """Fractions, integers and bools are compared as floats."""
    assert compared_numbers(Fraction(1, 2), 0.5, "here", EXACT).outcome is Outcome.PASSED
    assert compared_numbers(True, 1, "here", EXACT).outcome is Outcome.PASSED
