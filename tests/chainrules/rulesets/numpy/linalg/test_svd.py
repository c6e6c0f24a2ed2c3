"""The rules of `numpy.linalg.svd` and `svdvals`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad, hessian, hvp, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results, hermitian
from tests.chainrules.structured_checks import check_symmetric

SHAPES = [(2, 2), (3, 2), (2, 3), (2, 2, 1), (1, 1), (0, 2, 3), (0, 3), (3, 0)]
CASES = [(np.float64, shape) for shape in SHAPES] + [(complex, shape) for shape in SHAPES[:4]]


@pytest.mark.parametrize(("dtype", "shape"), CASES)
def test_thin_decomposition(shape, dtype):
    """High, wide and square matrices, and stacks; complex singular vectors have LAPACK's phase."""
    check_results(np.linalg.svd, normal(*shape, dtype=dtype), full_matrices=False)


def test_full_decomposition_of_square_matrices():
    """The full decomposition of a square matrix is the thin one."""
    check_results(np.linalg.svd, normal(3, 3))


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 1, 2), (1, 2, 3, 2)])
def test_full_decomposition_with_one_vector_more(shape):
    """A single real vector that completes the basis is determined up to its sign."""
    check_results(np.linalg.svd, normal(*shape), True)


def projections(A):
    """The projections onto the spaces of the vectors that complete the bases."""
    U, s, Vh = np.linalg.svd(A, full_matrices=True)
    U2, V2 = U[:, s.shape[0] :], Vh[s.shape[0] :]
    return U2 @ np.conjugate(np.swapaxes(U2, 0, 1)), np.conjugate(np.swapaxes(V2, 0, 1)) @ V2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 2), (2, 5)])
def test_spaces_that_complete_the_bases(shape, dtype):
    """Their projections are functions of the singular vectors: one minus the projection onto those."""
    A, weights = normal(*shape, dtype=dtype), [normal(n, n, dtype=dtype, seed=1) for n in shape]

    def by_complements(A):
        return sum(np.sum(np.real(P * W)) for P, W in zip(projections(A), weights, strict=True))

    def by_vectors(A):
        U, _, Vh = np.linalg.svd(A, full_matrices=False)
        onto = U @ np.conjugate(np.swapaxes(U, 0, 1)), np.conjugate(np.swapaxes(Vh, 0, 1)) @ Vh
        return -sum(np.sum(np.real(P * W)) for P, W in zip(onto, weights, strict=True))

    np.testing.assert_allclose(grad(by_complements)(A), grad(by_vectors)(A), atol=1e-12)


def test_forwards_the_complement_follows():
    """Forwards, the vectors that complete the basis stay orthogonal to the others."""
    A, A_dot = normal(5, 2), normal(5, 2, seed=1)

    (U, _, _), tangent = frule((NoTangent(), A_dot), np.linalg.svd, A)

    np.testing.assert_allclose(U.T @ tangent.U + tangent.U.T @ U, 0, atol=1e-14)


def test_choice_of_the_complement_is_refused():
    """A function of the vectors that LAPACK chose has no derivative."""
    _, pullback = rrule(np.linalg.svd, normal(4, 2))

    with pytest.raises(ValueError, match="no derivative by vectors that complete the basis"):
        pullback((normal(4, 4), normal(2), normal(2, 2)))


@pytest.mark.parametrize(("dtype", "shape"), CASES)
def test_values_alone(shape, dtype):
    """Both functions are right without vectors."""
    A = normal(*shape, dtype=dtype)
    check_rule(np.linalg.svd, A, True, False)
    check_rule(np.linalg.svdvals, A)


@pytest.mark.parametrize("dtype", DTYPES)
def test_hermitian_matrices(dtype):
    """One triangle is read, and singular values are moduli of eigenvalues of either sign."""
    A = hermitian(3, dtype) - 1.3 * np.eye(3)

    check_results(np.linalg.svd, A, hermitian=True)
    check_rule(np.linalg.svd, A, True, False, True)


@pytest.mark.parametrize("A", [np.eye(3), np.zeros((3, 3)), np.eye(4, 3), np.eye(3, 4)])
def test_equal_values(A):
    """The derivatives of all values together are finite; the value zero contributes nothing."""
    gradient = grad(lambda A: np.sum(np.linalg.svd(A, full_matrices=False)[1] ** 2))(A)

    np.testing.assert_allclose(gradient, 2 * A, atol=1e-14)


@pytest.mark.parametrize("named", [{"full_matrices": False}, {"compute_uv": False}, {"hermitian": True}])
def test_value_that_is_zero(named):
    """Alone it is at its minimum, where zero is taken for its derivative, forwards and in reverse.

    Forwards, nobody knows whether the vectors are used: then it rises as the singular values of the part of
    the direction that lies outside of the ranges of ``A`` and its transpose do, the one-sided derivative.
    """
    x = normal(3)
    A = np.outer(x, x)

    _, pullback = rrule(np.linalg.svd, A, **named)
    A_dot = normal(3, 3, seed=1)
    _, tangent = frule((NoTangent(), A_dot), np.linalg.svd, A, **named)
    is_alone = "compute_uv" in named
    A_bar = pullback(np.ones(3) if is_alone else (ZeroTangent(), np.ones(3), ZeroTangent()))[1]

    expected = np.tril(A + np.triu(A, 1).T) if "hermitian" in named else A
    np.testing.assert_allclose(A_bar, expected / np.linalg.norm(x) ** 2, atol=1e-14)
    if is_alone:
        np.testing.assert_array_equal(tangent[1:], 0)
    else:
        if "hermitian" in named:
            A_dot = np.tril(A_dot) + np.tril(A_dot, -1).T
        outside = np.linalg.svd(A)[0][:, 1:]
        rates = np.linalg.svd(outside.T @ A_dot @ outside, compute_uv=False)
        # Of a Hermitian matrix in the order of the vectors of these values, whose basis is arbitrary.
        actual = -np.sort(-tangent.S[1:]) if "hermitian" in named else tangent.S[1:]
        np.testing.assert_allclose(actual, rates, atol=1e-14)
        h = 1e-7
        risen = np.linalg.svd(A + h * A_dot, compute_uv=False)[1:] / h
        np.testing.assert_allclose(risen, rates, rtol=1e-6)


def test_eigenvalue_that_is_exactly_zero():
    """Of the values alone the derivative is known; beside vectors the sign zero has lost a part."""
    A = np.diag([2.0, 0.0])
    A_bar = grad(lambda A: np.sum(np.linalg.svd(A, hermitian=True)[1]))(A)

    np.testing.assert_allclose(A_bar, np.diag([1.0, 0.0]), atol=1e-14)


@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 4)])
def test_functions_that_do_not_depend_on_the_basis(shape):
    """The polar factor ``U Vᴴ`` of a matrix with equal singular values, against differences."""
    A, A_dot, weights = np.eye(*shape), normal(*shape), normal(*shape, seed=1)

    def polar_factor(A):
        U, _, Vh = np.linalg.svd(A, full_matrices=False)
        return U @ Vh

    expected = (polar_factor(A + 1e-6 * A_dot) - polar_factor(A - 1e-6 * A_dot)) / 2e-6
    gradient = grad(lambda A: np.sum(polar_factor(A) * weights))(A)
    (U, _, Vh), tangent = frule((NoTangent(), A_dot), np.linalg.svd, A, full_matrices=False)

    np.testing.assert_allclose(np.sum(gradient * A_dot), np.sum(expected * weights), atol=1e-8)
    np.testing.assert_allclose(tangent.U @ Vh + U @ tangent.Vh, expected, atol=1e-8)


def test_one_vector_of_equal_values():
    """It is arbitrary, so a function of it has no derivative."""
    gradient = grad(lambda A: np.sum(np.linalg.svd(A)[0][:, 0] * np.arange(1.0, 4.0)))(np.eye(3))

    assert np.isnan(gradient).any()


def product(A):
    """A function of all factors that does not depend on their choice: ``A + A Aᴴ A``."""
    U, s, Vh = np.linalg.svd(A, full_matrices=False)
    return (U * (s + s**3)) @ Vh


def full_product(A):
    """Likewise, by the full decomposition, of a Hermitian matrix."""
    U, s, Vh = np.linalg.svd(A, hermitian=True)
    return (U * (s + s**3)) @ Vh


SINGULAR = [np.eye(3), np.diag([1.0, 0.0]), np.zeros((2, 2)), np.eye(4, 3), np.eye(2, 3), np.zeros((3, 2))]
SINGULAR += [normal(4, 1) @ normal(1, 3, seed=1), np.diag([2.0, 2.0, 0.0, 0.0])]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("A", SINGULAR)
def test_functions_of_values_and_vectors(A, dtype):
    """Forwards they are differentiated right; in reverse so, or NaN where no cotangent knows what is owed."""
    A, A_dot, weights = A.astype(dtype), normal(*A.shape, dtype=dtype), normal(*A.shape, dtype=dtype, seed=1)
    expected = A_dot + A_dot @ A.conj().T @ A + A @ A_dot.conj().T @ A + A @ A.conj().T @ A_dot

    gradient = grad(lambda A: np.sum(np.real(np.conj(weights) * product(A))))(A)
    actual = np.vdot(gradient, A_dot).real

    np.testing.assert_allclose(jvp(product, (A,), (A_dot,))[1], expected, atol=1e-12)
    assert np.isnan(actual) or actual == pytest.approx(np.vdot(weights, expected).real)


@pytest.mark.parametrize(
    "A",
    [
        *(np.eye(3), np.diag([1.0, 0.0, 0.0]), np.diag([1.0, -1.0, 2.0]), np.diag([-1.0, 0.0])),
        np.zeros((2, 2)),
    ],
)
def test_functions_of_values_and_vectors_of_a_hermitian_matrix(A):
    """Likewise, where a value that is zero has the sign with which it moves."""
    A_dot = hermitian(len(A))
    expected = A_dot + A_dot @ A @ A + A @ A_dot @ A + A @ A @ A_dot

    gradient = grad(lambda A: np.sum(full_product(A) * np.outer(range(len(A)), range(len(A)))))(A)
    actual = np.sum(gradient * A_dot)

    np.testing.assert_allclose(jvp(full_product, (A,), (A_dot,))[1], expected, atol=1e-12)
    assert np.isnan(actual) or actual == pytest.approx(
        np.sum(expected * np.outer(range(len(A)), range(len(A))))
    )


def test_a_single_value_that_is_zero():
    """With both vectors its sign is free, and the gradient of what does not feel it is known in reverse."""
    product_sum = grad(lambda A: np.sum(reconstructed(A)))

    np.testing.assert_allclose(product_sum(np.diag([1.0, 0.0])), np.ones((2, 2)))
    np.testing.assert_allclose(hessian(lambda A: np.sum(values(A) ** 2))(np.diag([1.0, 0.0])), 2 * IDENTITY)


def reconstructed(A):
    """``A``, from its factors."""
    U, s, Vh = np.linalg.svd(A)
    return U * s @ Vh


def values(A):
    """The singular values."""
    return np.linalg.svd(A, compute_uv=False)


# That of the matrices of two rows and columns, as an array with four axes.
IDENTITY = np.eye(4).reshape(2, 2, 2, 2)


@pytest.mark.parametrize("A", SINGULAR)
def test_second_derivatives_of_smooth_functions_of_the_values(A):
    """The gradient of ``Σ s²`` is ``2 A``, pushed forwards twice the direction; in reverse it may be NaN."""

    def squares(A):
        return np.sum(values(A) ** 2)

    A_dot, other = normal(*A.shape), normal(*A.shape, seed=1)
    np.testing.assert_allclose(hvp(squares, A, A_dot), 2 * A_dot, atol=1e-12)
    twice = jvp(lambda A: jvp(squares, (A,), (A_dot,))[1], (A,), (other,))[1]
    assert twice == pytest.approx(2 * np.sum(A_dot * other))
    actual = np.sum(np.tensordot(hessian(squares)(A), A_dot) * other)
    assert np.isnan(actual) or actual == pytest.approx(2 * np.sum(A_dot * other))
    actual = grad(lambda A: jvp(squares, (A,), (A_dot,))[1])(A)
    assert np.isnan(actual).any() or actual == pytest.approx(2 * A_dot)


def test_vectors_of_a_value_that_is_zero():
    """They have no derivative; the others do."""
    A = normal(4, 2) @ normal(2, 3, seed=1)

    def by_vectors(columns):
        return grad(lambda A: np.sum(np.linalg.svd(A, full_matrices=False)[0][:, columns] ** 3))(A)

    assert np.isfinite(by_vectors(slice(2))).all()
    assert np.isnan(by_vectors(slice(3))).any()


@pytest.mark.parametrize("named", [{}, {"hermitian": True}])
def test_parts_of_a_cotangent(named):
    """Any part may be zero; names and positions say the same."""
    y, pullback = rrule(np.linalg.svd, hermitian(3), **named)
    kind = Tangent[type(y)]
    bars = {"U": normal(3, 3), "S": normal(3), "Vh": normal(3, 3, seed=1)}

    both = pullback(tuple(bars.values()))[1]
    np.testing.assert_array_equal(pullback(kind(**bars))[1], both)
    total = sum(pullback(kind(**{name: bar}))[1] for name, bar in bars.items())
    np.testing.assert_allclose(total, both, atol=1e-14)
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    assert pullback(kind(S=ZeroTangent()))[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.linalg.svd, np.linalg.eigh, np.linalg.eig])
def test_directions_that_are_not_finite(f):
    """They are no error, and have no tangent that is a number."""
    A_dot = np.full((2, 2), np.nan)

    _, tangent = frule((NoTangent(), A_dot), f, np.zeros((2, 2)))

    assert np.isnan(tangent[1]).all()


def test_svd_of_a_constant():
    """A zero tangent stays one."""
    tangents = (NoTangent(), ZeroTangent())

    for named in ({}, {"compute_uv": False}):
        assert frule(tangents, np.linalg.svd, normal(2, 2), **named)[1] == ZeroTangent()
    assert frule(tangents, np.linalg.svdvals, normal(2, 2))[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.linalg.svd, np.linalg.svdvals], ids=lambda f: f.__name__)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)
