"""The rules of the fields of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ProjectTo, frule, rrule
from chainrules_core.structured import Bidiagonal, Diagonal, Symmetric
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of

FIELDS = [
    (A, field) for A in matrices() + matrices(dtype=complex) for field in type(A).__slots__ if field != "uplo"
]


@pytest.mark.parametrize(("A", "field"), FIELDS)
def test_fields(A, field):
    """The stored diagonals; of an array that a matrix is made of what it looks at, the rest is constant."""
    test_frule(getattr, A, field)
    test_rrule(getattr, A, field)


def test_letters_have_no_tangent():
    """`uplo` cannot be perturbed."""
    B = Bidiagonal(normal(3), normal(2), "U")

    assert frule((NoTangent(), B, NoTangent()), getattr, B, "uplo") == ("U", NoTangent())
    assert rrule(getattr, B, "uplo")[1](NoTangent())[1] is NoTangent()


def test_other_attributes_have_no_rule():
    """What is no field is computed, by a function that has a rule of its own."""
    assert rrule(getattr, Diagonal(normal(3)), "extent") is None
    assert frule((NoTangent(), NoTangent(), NoTangent()), getattr, Diagonal(normal(3)), "extent") is None


@pytest.mark.parametrize(("A", "field"), FIELDS)
def test_tangents_of_other_kinds(A, field):
    """They count by their part in the space of the matrix."""
    A_dot = normal(4, 4, dtype=A.dtype)
    tangent, expected = (
        frule((NoTangent(), dot, NoTangent()), getattr, A, field)[1] for dot in (A_dot, ProjectTo(A)(A_dot))
    )
    np.testing.assert_array_equal(tangent, expected)


def test_fields_of_traced_matrices():
    """A program reads the fields of its argument."""
    D = Diagonal(normal(3))
    S = Symmetric(normal(3, 3), "L")

    assert grad(lambda D: np.sum(D.diag**2))(D) == 2.0 * D
    np.testing.assert_allclose(np.asarray(grad(lambda S: S.data[1, 0] * 2.0)(S))[0, 1], 1.0)
    assert grad(lambda S: np.sum(S @ S.data[:, 0]) if S.uplo == "L" else 0.0)(S).uplo == "L"


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
@pytest.mark.parametrize("name", ["T", "mT", "H"])
def test_transposes(name, A):
    """Attributes that are functions of the array."""
    check_structured_rule(getattr, A, name)
