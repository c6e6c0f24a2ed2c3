"""Class, shape and precision of values and tangents."""

import re
from fractions import Fraction

import numpy as np
import pytest

from chainrules_core import Tangent, ZeroTangent, thunk
from chainrules_core.structured import Diagonal, Symmetric
from chainrules_testutils.comparing.kinds import is_of_integers, primal_problems, tangent_problems
from tests.chainrules_testutils.rules_under_test import Foo


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (1.0, 2.0),
        (np.float64(1.0), 2.0),
        (1, np.int64(2)),
        (1j, np.complex128(2)),
        (True, np.bool_(False)),
        (np.ones(2), np.zeros(2)),
        ((1.0, "a"), (2.0, "a")),
        (Foo(np.ones(2), 1.0), Foo(np.ones(2), np.float64(1.0))),
        (None, None),
        (np.dtype(float), np.dtype(float)),  # it has a shape, and no dtype
        (np.float64, np.float64),
        (np, np),
        ((1.0,), (2.0, 3.0)),  # how many items there are is for the comparison of values to say
    ],
)
def test_same_kind(actual, expected):
    """Python's numbers and NumPy's of the same precision are of one kind."""
    assert list(primal_problems(actual, expected, "it")) == []


@pytest.mark.parametrize(
    ("x_bar", "is_so"),
    [
        *((x_bar, True) for x_bar in (2, np.int8(2), np.ones(2, np.uint8), thunk(lambda: np.ones(2, int)))),
        *((x_bar, False) for x_bar in (2.0, np.ones(2), 1j, ZeroTangent(), "text")),
    ],
    ids=str,
)
def test_integers_are_told_from_other_tangents(x_bar, is_so):
    """Numbers and arrays, computed or not."""
    assert is_of_integers(x_bar) is is_so


@pytest.mark.parametrize(
    ("actual", "expected", "problem"),
    [
        (np.float32(1), 1.0, "it: the rule returns float32, the primal float"),
        (1, 1.0, "it: the rule returns int, the primal float"),
        (np.array(1.0), 1.0, r"it: the rule returns ndarray of float64 with shape \(\), the primal float"),
        (np.ones(2), np.ones(2, dtype=int), "it: the rule returns ndarray of float64 .* of int64"),
        ([1.0], (1.0,), "it: the rule returns list, the primal tuple"),
        ((1.0, 1), (1.0, 1.0), "it, 1: the rule returns int"),
        (Foo(1.0, 1), Foo(1.0, 1.0), "it, c: the rule returns int"),
        (np.ma.array([1.0]), np.array([1.0]), "it: the rule returns MaskedArray"),
    ],
)
def test_other_kind(actual, expected, problem):
    """Other classes, dtypes and shapes are problems, each with its place."""
    (text,) = primal_problems(actual, expected, "it")

    assert re.match(problem, text)


@pytest.mark.parametrize(
    ("x", "x_bar"),
    [
        (1.0, 2.0),
        (1.0, np.float64(2.0)),
        (1.0, np.array(2.0)),
        (1.0, 2),
        (1, 2.0),
        (1j, 2.0),
        (np.float32(1), np.float32(2)),
        (np.ones(2, dtype=np.float32), np.ones(2, dtype=np.float32)),
        (np.ones(2, dtype=int), np.ones(2)),
        (np.float32(1), ZeroTangent()),
        (np.float32(1), thunk(lambda: np.float32(1))),
        (Foo(np.float32(1), 1.0), Tangent[Foo](A=np.float32(1))),
        ("a", 1.0),
        (Symmetric(np.ones((2, 2))), Symmetric(np.eye(2))),
        (Symmetric(np.ones((2, 2))), Diagonal(np.ones(2))),
        (Symmetric(np.ones((2, 2))), Tangent[Symmetric](data=np.eye(2))),
        (Fraction(1, 2), 0.5),
        (Fraction(1, 2), Fraction(1, 3)),
        (Fraction(1, 2), np.float32(0.5)),
        ("a", np.float32(0.5)),
    ],
)
def test_fitting_tangents(x, x_bar):
    """Tangents in the precision of the primal fit; Python's numbers are weak."""
    assert list(tangent_problems(x, x_bar, "it")) == []


@pytest.mark.parametrize(
    ("x", "x_bar", "problem"),
    [
        (np.float32(1), np.float64(1), "it: float64, but tangents of float32 are float32"),
        (np.float32(1), 1.0, "it: float64, but tangents of float32 are float32"),
        (1.0, np.float32(1), "it: float32, but tangents of float are float64"),
        (1.0, 1j, "it: complex128, but tangents of float are float64"),
        (np.ones(2), np.ones(2) + 0j, "it: complex128, but"),
        (np.ones(2), np.ones(2, dtype=int), "it: int64, but"),
        (np.ones(2) + 0j, np.ones(2), "it: float64, but"),
        (Diagonal(np.ones(2)), np.eye(2), "it: ndarray of float64 with shape (2, 2) for a Diagonal;"),
        (Diagonal(np.ones(2)), Symmetric(np.eye(2)), "it: Symmetric for a Diagonal;"),
        (Diagonal(np.float32([1])), Diagonal([1.0]), "it: float64, but tangents of Diagonal are float32"),
        (Diagonal(np.float32([1])), Tangent[Diagonal](diag=np.ones(1)), "it, diag: float64, but"),
        ((1.0, np.float32(1)), Tangent[tuple](1.0, thunk(lambda: np.float64(1))), "it, 1: float64, but"),
    ],
)
def test_misfitting_tangents(x, x_bar, problem):
    """Other precisions, and complex tangents of real primals, are problems with a mend."""
    (text,) = tangent_problems(x, x_bar, "it")

    assert text.startswith(problem)
    assert text.endswith("write `ProjectTo(x)(x_bar)`")


@pytest.mark.parametrize(
    ("x_bar", "advice"),
    [
        (np.ones(2, int), "; fill `np.zeros_like(x)`, or write `ProjectTo(x)(x_bar)`"),
        (np.ones(2, np.float32), "; write `ProjectTo(x)(x_bar)`"),
    ],
)
def test_integers_come_from_zeros_of_another_dtype(x_bar, advice):
    """How they were made is said, of other dtypes it is not known."""
    (text,) = tangent_problems(np.ones(2), x_bar, "it")

    assert text.endswith(advice)


@pytest.mark.parametrize("x_bar", ["text", None, np.array(["text"]), Tangent[Foo](A=1.0)])
def test_what_has_no_precision_has_no_wrong_one(x_bar):
    """That it is no tangent is for others to say."""
    assert list(tangent_problems(1.0, x_bar, "it")) == []


@pytest.mark.parametrize(("x_bar", "problems"), [(1, 1), (1.5, 1), (1 + 0j, 0)])
def test_numbers_of_python_are_weak_beside_numbers_alone(x_bar, problems):
    """Beside a number they take its precision, if nothing is lost; arrays want arrays."""
    assert list(tangent_problems(1j, x_bar, "it")) == []
    assert len(list(tangent_problems(np.ones(2, complex), x_bar, "it"))) == problems
