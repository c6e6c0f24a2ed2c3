"""The rules of `numpy.linalg.slogdet`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular


@pytest.mark.parametrize("dtype", [*DTYPES, np.float32])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (0, 2, 2), (1, 1)])
def test_slogdet(shape, dtype):
    """Real and complex matrices, and stacks of them; the sign of a complex determinant turns."""
    A = regular(*shape, dtype=dtype)

    test_frule(np.linalg.slogdet, A)
    test_rrule(np.linalg.slogdet, A)
    test_rrule(np.linalg.slogdet, -A)


def test_gradient_of_the_logarithm():
    """The gradient of ``log |det A|`` is ``A⁻ᵀ``, of a function that takes the result apart."""
    A = regular(3, 3)

    by_position = grad(lambda A: np.linalg.slogdet(A)[1])(A)
    by_name = grad(lambda A: np.linalg.slogdet(A).logabsdet)(A)

    np.testing.assert_allclose(by_position, np.linalg.inv(A).T)
    np.testing.assert_allclose(by_name, by_position)


def test_second_derivative_of_the_logarithm():
    """The Hessian of ``log |det A|`` in the direction of ``V`` is ``-(A⁻¹ V A⁻¹)ᵀ``."""
    A, V = regular(3, 3), regular(3, 3, seed=1)
    inverse = np.linalg.inv(A)

    along_V = grad(lambda A: np.sum(grad(lambda A: np.linalg.slogdet(A)[1])(A) * V))(A)

    np.testing.assert_allclose(along_V, -(inverse @ V @ inverse).T)


def test_slogdet_with_parts_of_a_cotangent():
    """Zeros for either part, and for both."""
    A = regular(2, 2, dtype=complex)
    y, pullback = rrule(np.linalg.slogdet, A)
    kind = Tangent[type(y)]

    of_the_logarithm = pullback(kind(logabsdet=1.0))[1]
    np.testing.assert_allclose(of_the_logarithm, np.linalg.inv(A).conj().T)
    of_the_sign = pullback(kind(sign=1j * y[0]))[1]
    np.testing.assert_allclose(of_the_sign, 1j * np.linalg.inv(A).conj().T)
    np.testing.assert_array_equal(pullback((ZeroTangent(), 1.0))[1], of_the_logarithm)
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    assert pullback(kind(sign=ZeroTangent(), logabsdet=ZeroTangent()))[1] == ZeroTangent()
    assert frule((NoTangent(), ZeroTangent()), np.linalg.slogdet, A)[1] == ZeroTangent()


@pytest.mark.parametrize("n", [2, 25])
def test_singular_matrices(n):
    """The value is minus infinity, and the error of the derivative says which function has one."""
    A = np.diag(np.arange(float(n)))
    with pytest.raises(np.linalg.LinAlgError, match=r"logarithm of its determinant.*`np\.linalg\.det\(A\)`"):
        grad(lambda A: np.linalg.slogdet(A)[1])(A)
    with pytest.raises(np.linalg.LinAlgError, match="logarithm of its determinant"):
        jvp(lambda A: np.linalg.slogdet(A)[1], (A,), (A,))
