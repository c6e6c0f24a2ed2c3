"""Elementwise functions of sparse arrays that keep zeros: methods, NumPy's functions, operators."""

import operator

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_core.definition.non_differentiable import NonDifferentiablePullback
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import diagonals, formats, kinds, same_pattern, sparse


def check(f, *args):
    """Check both modes of a call, backwards in a random direction."""
    test_frule(f, *args)
    test_rrule(f, *args, mode="fast")


def positive(format="csr", kind="array"):
    """A sparse array with positive entries, far from zero."""
    A = sparse("coo", kind)
    A.data = 1.0 + A.data**2
    return A.asformat(format)


with_methods = pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr"])


@with_methods
@kinds
def test_functions(format, kind):
    """The method and NumPy's function have the rules of the stored entries."""
    A = sparse(format, kind)
    for f in (np.sin, type(A).sin, type(A).log1p):
        check(f, positive(format, kind))
    check(np.sin, sparse(format, kind, dtype=complex))
    assert same_pattern(rrule(np.sin, A)[1](A)[1], A)


@with_methods
@kinds
def test_powers_of_elements(format, kind):
    """The method, and the operator of arrays; by the exponent too."""
    A = positive(format, kind)
    check(type(A).power, A, 3)
    check(type(A).power, A, 2.5)
    if kind == "array":
        check(operator.pow, A, 2)
        check(operator.pow, A, 1.5)


def test_stored_diagonals():
    """What is stored outside of the matrix plays no part."""
    check(np.sin, diagonals())
    check(operator.pow, diagonals(), 2.5)


def test_what_is_declined():
    """Functions that are not zero at zero, and formats that SciPy converts first."""
    A = sparse()
    assert rrule(np.cos, A) is None
    assert frule((NoTangent(), A), np.cos, A) is None
    assert rrule(operator.pow, A, -1) is None
    assert rrule(operator.pow, A, 0) is None
    assert frule((NoTangent(), A, NoTangent()), operator.pow, A, 0) is None
    assert rrule(operator.pow, sparse("lil"), 2) is None
    assert rrule(np.spacing, A) is None
    assert frule((NoTangent(), A), np.spacing, A) is None


def test_the_square_of_an_older_matrix_is_no_function_of_elements():
    """NumPy multiplies it by itself."""
    assert rrule(np.square, sparse(kind="matrix")) is None
    check(np.square, sparse())


def test_functions_without_derivatives():
    """The rule says so."""
    A = sparse()
    y, pullback = rrule(np.isnan, A)

    assert y.dtype == bool
    assert isinstance(pullback, NonDifferentiablePullback)


def test_zero_tangents():
    """They stay zeros."""
    A = sparse()
    assert frule((NoTangent(), ZeroTangent()), np.sin, A)[1] is ZeroTangent()
    assert rrule(operator.pow, A, 2.0)[1](ZeroTangent()) == (NoTangent(), ZeroTangent(), ZeroTangent())


@formats
def test_rules_can_be_differentiated(format):
    """Second derivatives through functions of elements."""
    if format == "lil":
        return
    A = sparse(format)
    second = grad(lambda A: np.sum(grad(lambda A: np.sum(np.sin(A) + A**3))(A)))(A)
    dense = A.toarray()

    np.testing.assert_allclose(second.toarray(), -np.sin(dense) + 6 * dense, rtol=1e-12)


def test_memory_is_that_of_the_entries():
    """A function of a million rows takes no more memory than the entries."""
    n = 10**6
    A = scipy.sparse.csr_array((normal(n), np.arange(n), np.arange(n + 1)), shape=(n, n))
    gradient = grad(lambda A: np.sum(np.sin(A) + A**2))(A)

    np.testing.assert_allclose(gradient.data, np.cos(A.data) + 2 * A.data)
