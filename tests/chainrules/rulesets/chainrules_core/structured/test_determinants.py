"""The rules of determinants of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad, jacobian
from chainrules.rulesets.chainrules_core.structured.determinants import inverse_on_bands
from chainrules_core import NoTangent, ProjectTo, ZeroTangent, frule, rrule
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    SymTridiagonal,
    Triangular,
    Tridiagonal,
    UpperTriangular,
)
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_gradient, check_structured_rule, matrices, name_of
from tests.python_calls import functions_run_by

ALL = matrices() + matrices(dtype=complex)
TRIDIAGONAL = [A for A in ALL if isinstance(A, Tridiagonal | SymTridiagonal)]
# Of these the determinant, and more than one cofactor, are zero.
SINGULAR = [
    Diagonal(np.array([1.0, 0.0, 2.0])),
    Diagonal(np.array([0.0, 0.0, 2.0])),
    Bidiagonal(np.array([1.0, 0.0, 2.0]), normal(2), "L"),
    Tridiagonal(np.zeros(2), np.array([1.0, 0.0, 2.0]), normal(2)),
    Tridiagonal(np.array([1.0, 2.0]), np.zeros(3), np.array([3.0, 4.0])),
    SymTridiagonal(np.ones(3), np.array([1.0, 0.0])),
    UpperTriangular(np.diag([1.0, 0.0, 2.0]) + np.triu(normal(3, 3), 1)),
]


@pytest.mark.parametrize("A", ALL, ids=name_of)
def test_det(A):
    """Both modes are right for the determinant of every kind."""
    check_structured_rule(np.linalg.det, A / 8.0 if np.abs(A.diagonal()).max() > 2 else A)


@pytest.mark.parametrize("A", SINGULAR, ids=name_of)
def test_det_of_singular_matrices(A):
    """The derivative is there where the inverse is not, and so is that of the derivative."""
    check_structured_rule(np.linalg.det, A)
    check_second_derivative(np.linalg.det, A)


@pytest.mark.parametrize("distance", [1e-3, 1e-6, 1e-10, 1e-13])
@pytest.mark.parametrize("kind", [SymTridiagonal, lambda d, e: Tridiagonal(e, d, e)])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_second_derivatives_near_singular_matrices(kind, distance, mode):
    """They are those of a polynomial, without the digits that the inverse loses."""
    d, e = np.array([1.0, 4.0 + distance, 2.0]), np.array([2.0, 0.0])
    expected = [[0.0, d[2], d[1]], [d[2], 0.0, d[0]], [d[1], d[0], 0.0]]

    actual = jacobian(grad(lambda d: np.linalg.det(kind(d, e))), mode=mode)(d)

    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_gradient_of_slogdet(A):
    """The inverse of the transpose, projected."""
    y, pullback = rrule(np.linalg.slogdet, A)

    A_bar = pullback((0.0, 1.0))[1]

    assert y.logabsdet == pytest.approx(np.linalg.slogdet(A.to_dense())[1])
    dense = np.linalg.inv(A.to_dense()).T
    np.testing.assert_allclose(np.asarray(A_bar), np.asarray(ProjectTo(A)(dense)), atol=1e-12)


@pytest.mark.parametrize("A", ALL, ids=name_of)
def test_slogdet(A):
    """Forwards and backwards agree with differences, of the sign of complex matrices too."""
    check_structured_rule(np.linalg.slogdet, A)


def test_slogdet_of_singular_matrices():
    """Its gradient is infinite, which is an error, as for ordinary arrays."""
    for A in SINGULAR:
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            rrule(np.linalg.slogdet, A)[1]((0.0, 1.0))


def check_second_derivative(f, A):
    """Compare the derivative of a gradient with differences of gradients."""
    x = positive(len(A))

    def along(A):
        return np.sum(x @ grad(f)(A) ** 2)

    check_gradient(along, A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_rules_can_be_differentiated(A):
    """The second derivatives of both."""
    check_second_derivative(np.linalg.det, A / 8.0 if np.abs(A.diagonal()).max() > 2 else A)
    check_second_derivative(lambda A: np.linalg.slogdet(A)[1], A)


def differentiates_an_adjugate(A):
    """Whether second derivatives of a determinant take the long way, by the adjugate of the dense matrix."""

    def sum_of_gradient(A):
        return np.sum(grad(np.linalg.det)(A).diagonal())

    return "adjugate" in functions_run_by(lambda: grad(sum_of_gradient)(A))


@pytest.mark.parametrize("A", [matrices()[0], matrices()[3], matrices()[4]], ids=name_of)
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_second_derivatives_of_regular_matrices_are_short(A, unit):
    """They are made of the inverse, whatever the unit is."""
    assert not differentiates_an_adjugate(unit * A)


def test_second_derivatives_of_matrices_that_are_nearly_singular():
    """They are made of the adjugate where the inverse is too large, which single numbers never are."""
    nothing, main = np.zeros(2), np.array([1.0, 1e-6, 2.0])
    assert differentiates_an_adjugate(Tridiagonal(nothing, main, nothing))
    assert differentiates_an_adjugate(Tridiagonal(np.array([1e5, 0.0]), np.ones(3), nothing))
    assert differentiates_an_adjugate(Tridiagonal(nothing, np.ones(3), np.array([1e5, 0.0])))
    assert not differentiates_an_adjugate(Diagonal(main))


@pytest.mark.parametrize("A", TRIDIAGONAL, ids=name_of)
def test_inverse_on_bands(A):
    """The transpose of the inverse on three diagonals."""
    check_structured_rule(inverse_on_bands, A)
    assert frule((NoTangent(), ZeroTangent()), inverse_on_bands, A)[1] is ZeroTangent()


def test_determinants_out_of_range():
    """Where the determinant is too small for a float, cofactors need not be."""
    D = Diagonal(np.array([1e-200, 2e-200, 1e-20]))
    assert np.linalg.det(D) == 0
    np.testing.assert_allclose(rrule(np.linalg.det, D)[1](1.0)[1].diag, [2e-220, 1e-220, 0.0])
    D = Diagonal(np.array([1e200, 1e200, 1e-200, 1e-200]))
    with pytest.warns(RuntimeWarning, match="overflow"):
        _, pullback = rrule(np.linalg.det, D)
    np.testing.assert_allclose(pullback(1.0)[1].diag, [1e-200, 1e-200, 1e200, 1e200])


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 2 * 10**5
    D = Diagonal(positive(n))
    np.testing.assert_allclose(grad(lambda D: np.linalg.slogdet(D)[1])(D).diag, 1 / D.diag)
    D = Diagonal(np.tile([0.5, 2.0], n // 2))
    D.diag[7] = 0.0
    cofactors = rrule(np.linalg.det, D)[1](1.0)[1].diag
    assert cofactors[7] == 0.5
    assert np.count_nonzero(cofactors) == 1

    n = 10**5
    T = Tridiagonal(normal(n - 1), normal(n), normal(n - 1, seed=1))
    gradient = grad(lambda T: np.linalg.slogdet(T)[1])(T)
    # Each row of the matrix times its column of the inverse is one.
    ones = T.d * gradient.d
    ones[:-1] += T.du * gradient.du
    ones[1:] += T.dl * gradient.dl
    np.testing.assert_allclose(ones, 1.0, rtol=1e-9)
    S = SymTridiagonal(4.0 + positive(n), positive(n - 1))
    assert type(grad(lambda S: np.linalg.slogdet(S)[1])(S)) is SymTridiagonal


@pytest.mark.parametrize("A", ALL, ids=name_of)
@pytest.mark.parametrize("f", [np.linalg.det, np.linalg.slogdet])
def test_what_is_served(f, A):
    """The matrices whose determinant takes no factorization, and no others."""
    tangents = (NoTangent(), ZeroTangent())
    is_served = isinstance(A, Diagonal | Bidiagonal | Tridiagonal | SymTridiagonal | Triangular)

    for method in (rrule.find(f, A), frule.find(tangents, f, A)):
        assert (method.function.__module__ == inverse_on_bands.__module__) is is_served
