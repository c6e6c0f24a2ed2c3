"""Sums, differences, products and quotients of elements with sparse operands."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad, hessian, jvp
from chainrules_core import NoTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import diagonals, formats, kinds, same_pattern, sparse


def check(f, *args):
    """Check both modes of a call."""
    test_frule(f, *args)
    test_rrule(f, *args)


@formats
@kinds
def test_product_with_a_number(format, kind):
    """``A * s``, ``s * A`` and ``A / s``, by the array and by the number."""
    A = sparse(format, kind)
    check(operator.mul, A, 2.5)
    check(operator.mul, 2.5, A)
    check(operator.truediv, A, 2.5)


@formats
@pytest.mark.parametrize("B", [normal(4, 5), normal(5), normal(4, 1) + 1j, np.array(2.5), np.arange(1, 6)])
def test_quotient_with_a_dense_array(format, B):
    """``A / B``, by both; the quotient is sparse, and so is the cotangent of the sparse operand."""
    A = sparse(format)
    check(operator.truediv, A, B)
    y, pullback = rrule(operator.truediv, A, B)
    assert same_pattern(unthunk(pullback(y)[1]), A)


def test_quotients_without_a_rule():
    """Of two sparse arrays, which is dense; and of a matrix by an array, of which none was ever right."""
    for A, B in ((sparse(), sparse()), (sparse(kind="matrix"), normal(4, 5))):
        assert rrule(operator.truediv, A, B) is None
        assert frule((NoTangent(), A, B), operator.truediv, A, B) is None


@formats
@kinds
@pytest.mark.parametrize("f", [lambda A: A * 2.5, lambda A: 2.5 * A, lambda A: A / 2.5, lambda A: A + A])
def test_tangents_have_the_format_of_the_result(f, format, kind):
    """So that methods of the result, such as ``toarray``, take them."""
    A = sparse(format, kind)
    y, y_dot = jvp(f, (A,), (A,))
    assert y_dot.format == y.format
    np.testing.assert_allclose(jvp(lambda A: f(A).toarray(), (A,), (A,))[1], y.toarray())


@formats
def test_products_with_dense_arrays_are_pushed_on(format):
    """The product of a sparse array and a dense one has a format of its own."""
    A, B = sparse(format), normal(4, 5)
    y, y_dot = jvp(lambda A, B: (A * B).toarray(), (A, B), (A, B))
    np.testing.assert_allclose(y_dot, 2 * y)


@pytest.mark.parametrize("s", [2.5, 1.5 - 0.5j])
@pytest.mark.parametrize("dtype", [float, complex])
def test_product_with_a_complex_number(dtype, s):
    """The cotangent of a real operand is real."""
    check(operator.mul, sparse(dtype=dtype), s)
    check(operator.truediv, sparse(dtype=dtype), s)


@formats
@kinds
@pytest.mark.parametrize("f", [operator.add, operator.sub])
def test_sum_of_sparse_arrays(f, format, kind):
    """Each cotangent has the pattern of its own operand."""
    A, B = sparse(format, kind), sparse(format, kind, pattern=np.eye(4, 5), seed=1)
    check(f, A, B)
    y, pullback = rrule(f, A, B)
    _, A_bar, B_bar = map(unthunk, pullback(y))
    assert same_pattern(A_bar, A)
    assert same_pattern(B_bar, B)


@formats
@pytest.mark.parametrize("f", [operator.add, operator.sub])
def test_sum_with_a_dense_array(f, format):
    """The sum is dense; the cotangent of the sparse operand is not."""
    check(f, sparse(format), normal(4, 5))
    check(f, normal(4, 5), sparse(format))


@formats
@pytest.mark.parametrize("shape", [(4, 5), (4, 1), (1, 5), (5,), (1, 1), ()])
def test_product_of_elements_with_a_dense_array(format, shape):
    """Rows and columns are scaled by arrays that broadcast, whose cotangents are sums over these."""
    check(operator.mul, sparse(format), normal(*shape))
    check(operator.mul, normal(*shape), sparse(format))


@formats
def test_product_of_elements_of_sparse_arrays(format):
    """Where one operand stores nothing, the cotangent of the other is zero."""
    check(operator.mul, sparse(format), sparse(format, pattern=np.eye(4, 5), seed=1))


@formats
@kinds
def test_linear_functions_of_one_array(format, kind):
    """The negative, the conjugate and the transpose."""
    for f in (operator.neg, np.conjugate, np.transpose):
        check(f, sparse(format, kind))
        check(f, sparse(format, kind, dtype=complex))


def test_diagonals():
    """A sparse array that stores diagonals is an operand like others."""
    check(operator.mul, diagonals(), 2.0)
    check(operator.neg, diagonals())


@formats
def test_methods(format):
    """``multiply`` and ``dot`` are products of elements, and of matrices."""
    A = sparse(format)
    for B in (normal(4, 5), normal(5), sparse(format, pattern=np.eye(4, 5), seed=1), 2.0):
        test_frule(type(A).multiply, A, B)
        test_rrule(type(A).multiply, A, B, mode="fast")
    for B in (normal(5), normal(5, 2), 2.0):
        test_frule(type(A).dot, A, B)
        test_rrule(type(A).dot, A, B, mode="fast")


def test_products_of_elements_of_older_matrices():
    """By numbers; others are declined, since no operator means them."""
    A = sparse(kind="matrix")
    check(type(A).multiply, A, 2.0)
    assert rrule(type(A).multiply, A, A) is None
    assert frule((NoTangent(), A, A), type(A).multiply, A, A) is None


def test_rules_can_be_differentiated():
    """Second derivatives through products with numbers and arrays, and through sums."""
    A, x = sparse(), normal(5)

    def cube(A):
        return np.sum(((A * 2.0 - A / 4.0) * A) @ x)

    dense = A.toarray()
    second = grad(lambda A: np.sum(grad(cube)(A)))(A)
    np.testing.assert_allclose(second.toarray(), 3.5 * x * (dense != 0), rtol=1e-12)
    by_number = grad(grad(lambda s: np.sum((A * s) * (A * s))))(1.0)
    np.testing.assert_allclose(by_number, 2 * np.sum(dense**2))


@formats
@kinds
def test_entries_that_cancel(format, kind):
    """Where a sum or product is zero by chance, it still moves."""
    A = sparse(format, kind)
    f = lambda x: (A * x - A).toarray().sum()  # noqa: E731 - one expression
    g = lambda x: (A * (1.0 - x)).toarray().sum()  # noqa: E731 - one expression
    total = A.sum()

    np.testing.assert_allclose(grad(f)(1.0), total)
    np.testing.assert_allclose(jvp(f, (1.0,), (1.0,))[1], total)
    np.testing.assert_allclose(grad(g)(1.0), -total)
    np.testing.assert_allclose(hessian(lambda x: f(x) ** 2)(1.0), 2 * total**2)
