"""The solution of systems with a matrix that is read from an array, against finite differences."""

import numpy as np
import pytest

from chainrules.numerics.factorizations import LU, factored_in_precision
from chainrules.operations.linear_systems import LinearSystem, solution
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular


class Doubled:
    """A matrix that is twice the array."""

    def push(self, A, A_dot, X, by_adjoint=False):
        """Twice the tangent, or its adjoint, times columns."""
        return 2 * (A_dot.conj().T if by_adjoint else A_dot) @ X

    def pull(self, A, U, V):
        """Twice the cotangent."""
        return 2 * U @ V.conj().T


@pytest.mark.parametrize("by_adjoint", [False, True])
@pytest.mark.parametrize("shape", [(3,), (3, 2)])
@pytest.mark.parametrize("dtype", [float, complex])
def test_solution(dtype, shape, by_adjoint):
    """Both modes agree with differences of the solution for moved arrays."""
    A, B = regular(3, 3, dtype=dtype), normal(*shape, dtype=dtype)
    A_dot, B_dot = normal(3, 3, dtype=dtype, seed=1), normal(*shape, dtype=dtype, seed=2)

    def system(A):
        return LinearSystem(Doubled(), factored_in_precision(2 * A, B, LU))

    X, X_dot = frule(
        (NoTangent(), A_dot, B_dot, NoTangent(), NoTangent()), solution, A, B, system(A), by_adjoint
    )
    np.testing.assert_allclose(2 * (A.conj().T if by_adjoint else A) @ X, B, atol=1e-12)
    h = 1e-6
    ahead, behind = (
        solution(A + s * h * A_dot, B + s * h * B_dot, system(A + s * h * A_dot), by_adjoint) for s in (1, -1)
    )
    np.testing.assert_allclose(X_dot, (ahead - behind) / (2 * h), atol=1e-7)

    X_bar = normal(*shape, dtype=dtype, seed=3)
    _, A_bar, B_bar, *others = rrule(solution, A, B, system(A), by_adjoint)[1](X_bar)
    assert others == [NoTangent(), NoTangent()]
    by_pullback = np.vdot(unthunk(A_bar), A_dot) + np.vdot(B_bar, B_dot)
    np.testing.assert_allclose(by_pullback.real, np.vdot(X_bar, X_dot).real)


def test_constants():
    """Zero tangents and zero cotangents stay zeros."""
    A, b, zero = regular(2, 2), normal(2), ZeroTangent()
    system = LinearSystem(Doubled(), factored_in_precision(2 * A, b, LU))
    assert frule((NoTangent(), zero, zero, NoTangent()), solution, A, b, system)[1] == zero
    _, x_dot = frule((NoTangent(), zero, b, NoTangent()), solution, A, b, system)
    np.testing.assert_allclose(x_dot, solution(A, b, system))
    assert rrule(solution, A, b, system)[1](zero)[1:3] == (zero, zero)
