"""Both modes of determinants, given the derivatives by the elements, against differences."""

import numpy as np
import pytest

from chainrules.formulas.determinants import pull_det, pull_slogdet, push_det, push_slogdet
from chainrules_core import NoTangent, Tangent, ZeroTangent
from tests.chainrules.rule_checks import normal

STEP = 1e-6
MATRICES = [normal(3, 3), normal(3, 3) + 1j * normal(3, 3, seed=5)]


def inverse_transposed(A):
    """The derivative of the logarithm of the determinant."""
    return np.linalg.inv(A).T


def cofactors(A, y):
    """The derivative of the determinant `y`."""
    return y * inverse_transposed(A)


def difference(f, A, A_dot):
    """The derivative of `f` in a direction."""
    return (f(A + STEP * A_dot) - f(A - STEP * A_dot)) / (2 * STEP)


@pytest.mark.parametrize("A", MATRICES)
def test_determinant(A):
    """The tangent is the derivative in its direction; the cotangent has the adjoint's inner products."""
    A_dot, y_bar = A**2, (A[0, 0] * 2).item()
    expected = difference(np.linalg.det, A, A_dot)
    y, y_dot = push_det((NoTangent(), A_dot), A, cofactors)
    _, pullback = pull_det(A, cofactors)

    np.testing.assert_allclose(y, np.linalg.det(A))
    np.testing.assert_allclose(y_dot, expected, rtol=1e-8)
    np.testing.assert_allclose(
        np.vdot(pullback(y_bar)[1], A_dot).real, (np.conj(y_bar) * expected).real, rtol=1e-8
    )


@pytest.mark.parametrize("A", MATRICES)
def test_sign_and_logarithm(A):
    """The same of the sign, which turns if the matrix is complex, and of the logarithm."""
    A_dot = A**2
    expected = [difference(lambda A, part=part: np.linalg.slogdet(A)[part], A, A_dot) for part in (0, 1)]
    y, y_dot = push_slogdet((NoTangent(), A_dot), A, inverse_transposed)
    _, pullback = pull_slogdet(A, inverse_transposed)

    np.testing.assert_allclose(y_dot.logabsdet, expected[1], rtol=1e-8)
    if np.iscomplexobj(A):
        np.testing.assert_allclose(y_dot.sign, expected[0], rtol=1e-7, atol=1e-9)
    else:
        assert y_dot.sign == ZeroTangent()
    for part, bar in ((0, y[0] * (1 + 2j) if np.iscomplexobj(A) else 1.0), (1, 1.5)):
        A_bar = pullback(Tangent[type(y)](**{y._fields[part]: bar}))[1]
        wanted = np.real(np.conj(bar) * expected[part])
        actual = 0.0 if isinstance(A_bar, ZeroTangent) else np.vdot(A_bar, A_dot).real
        np.testing.assert_allclose(actual, wanted, rtol=1e-7, atol=1e-9)


def test_known_results():
    """A result that is known is not computed again; a tangent that is zero gives a zero."""
    A = MATRICES[0]

    assert push_det((NoTangent(), ZeroTangent()), A, cofactors, 5.0) == (5.0, ZeroTangent())
    assert pull_det(A, cofactors, 5.0)[0] == 5.0
    assert push_slogdet((NoTangent(), ZeroTangent()), A, inverse_transposed, (1.0, 5.0))[0] == (1.0, 5.0)
    assert pull_slogdet(A, inverse_transposed, (1.0, 5.0))[0] == (1.0, 5.0)
