"""The rules of elementwise functions of structured arrays, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ProjectTo, ZeroTangent, frule, rrule, unthunk
from chainrules_core.definition.non_differentiable import NonDifferentiablePullback
from chainrules_core.structured import Diagonal, Tridiagonal
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_gradient, check_structured_rule, matrices, name_of

KEEPING_ZEROS = [np.sin, np.conjugate, operator.neg]


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
@pytest.mark.parametrize("f", KEEPING_ZEROS, ids=lambda f: f.__name__)
def test_functions_that_keep_zeros(f, A):
    """Of every kind; the result is what the function itself returns."""
    check_structured_rule(f, A)
    assert type(rrule(f, A)[0]) is type(f(A))


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex)[::4], ids=name_of)
def test_functions_that_do_not(A):
    """The result is an ordinary array, the cotangent is in the subspace."""
    check_structured_rule(np.cos, A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
@pytest.mark.parametrize("f", [operator.pow, np.power], ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", [1, 2, 3, 0])
def test_integer_powers(f, A, p):
    """A power of zero is zero, but for the exponent zero."""
    x = positive(4)
    check_gradient(lambda A: np.sum(x @ f(A, p)), A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_powers(A):
    """By the exponent too, to which each element contributes, those of both sides of a symmetric matrix."""
    squares = A * A + 0.1 * A * A
    check_structured_rule(operator.pow, squares, 1.5)
    check_structured_rule(np.power, squares, np.float64(2.5))


def test_functions_without_derivatives():
    """The rule says so, as that for ordinary arrays does."""
    D = Diagonal(normal(3))
    y, pullback = rrule(np.isnan, D)

    assert type(y) is Diagonal
    assert isinstance(pullback, NonDifferentiablePullback)
    assert frule((NoTangent(), D), np.isnan, D)[1] is NoTangent()


def test_functions_without_rules():
    """What has no rule for ordinary arrays has none for structured ones."""
    f, D = np.frompyfunc(abs, 1, 1), Diagonal(normal(3))
    assert rrule(f, D) is None
    assert frule((NoTangent(), D), f, D) is None


def test_zero_tangents():
    """Zero tangents stay zeros."""
    D = Diagonal(normal(3))

    assert frule((NoTangent(), ZeroTangent()), np.sin, D)[1] is ZeroTangent()
    assert rrule(operator.pow, D, 2.0)[1](ZeroTangent()) == (NoTangent(), ZeroTangent(), ZeroTangent())


@pytest.mark.parametrize("y_bar", [normal(3, 3), Diagonal(normal(3)), normal(3, 3, dtype=complex)])
def test_cotangents_of_other_kinds(y_bar):
    """They count by their part in the space of the result."""
    T = Tridiagonal(normal(2), normal(3), normal(2, seed=1))
    y, pullback = rrule(np.sin, T)
    expected = pullback(ProjectTo(y)(y_bar))[1]

    np.testing.assert_array_equal(np.asarray(pullback(y_bar)[1]), np.asarray(expected))
    assert type(pullback(y_bar)[1]) is Tridiagonal


def test_tangents_of_other_kinds():
    """They count by their part in the space of the array."""
    T, T_dot = Tridiagonal(normal(2), normal(3), normal(2, seed=1)), normal(3, 3)
    y, y_dot = frule((NoTangent(), T_dot), np.sin, T)

    assert type(y_dot) is type(y) is Tridiagonal
    assert y_dot == frule((NoTangent(), ProjectTo(T)(T_dot)), np.sin, T)[1]


def test_infinite_derivatives_off_the_pattern():
    """The slope of a power at the zeros of the structure plays no part."""
    D = Diagonal(positive(3))
    _, pullback = rrule(operator.pow, D, 0.5)

    np.testing.assert_allclose(unthunk(pullback(D)[1]).diag, 0.5 * np.sqrt(D.diag))


def test_single_precision():
    """Cotangents have the precision of the array."""
    T = Tridiagonal(*(normal(n, dtype=np.float32) for n in (2, 3, 2)))

    assert rrule(np.sin, T)[1](T)[1].dtype == np.float32


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_rules_can_be_differentiated(A):
    """Second derivatives agree with differences of first ones."""
    x = positive(4)

    def along(A):
        return np.sum(grad(lambda A: np.sum(x @ np.sin(A) ** 2))(A) @ x)

    check_gradient(along, A)


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 10**6
    d = positive(n)

    gradient = grad(lambda D: np.sum(np.sin(D) + D**3.0 - np.square(-D) * 2.0 / 3.0))(Diagonal(d))

    np.testing.assert_allclose(gradient.diag, np.cos(d) + 3 * d**2 - 4 * d / 3)
    T = Tridiagonal(d[1:], d, d[1:])
    assert type(grad(lambda T: np.sum(np.sin(T)))(T)) is Tridiagonal
    assert grad(lambda p: np.sum(Diagonal(d) ** p))(2.0) == pytest.approx(np.sum(d**2 * np.log(d)))
