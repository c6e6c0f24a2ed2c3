"""Hermitian eigenvalue problems with a second matrix, brought to problems of one matrix."""

import numpy as np
import pytest
from scipy.linalg import eigh

from chainrules.formulas.spectra.definite_pencils import DefinitePencil
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, hermitian, positive_definite

TYPES = [1, 2, 3]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("problem", TYPES)
def test_reduced_problem(problem, dtype):
    """It has the same eigenvalues, and its vectors are orthonormal; they can be brought back."""
    A, B = hermitian(3, dtype), positive_definite(3, 3, dtype=dtype)
    w, V = eigh(A, B, type=problem)
    pencil = DefinitePencil.of(A, B, problem)

    Y = pencil.reduced(V)
    np.testing.assert_allclose(pencil.C @ Y, Y * w, atol=1e-12)
    np.testing.assert_allclose(np.conj(Y.T) @ Y, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(pencil.expanded(Y), V)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("problem", TYPES)
def test_both_modes(problem, dtype):
    """The tangents are those of central differences, and the cotangents their transposes."""
    A, A_dot = hermitian(3, dtype), hermitian(3, dtype, seed=1)
    B, B_dot = positive_definite(3, 3, dtype=dtype), hermitian(3, dtype, seed=2)
    Y, Y_dot, h = normal(3, 2, dtype=dtype), normal(3, 2, dtype=dtype, seed=3), 1e-6
    pencil = DefinitePencil.of(A, B, problem)
    ahead, behind = (DefinitePencil.of(A + t * A_dot, B + t * B_dot, problem) for t in (h, -h))

    P = pencil.factor_dot(B_dot)
    C_dot, V_dot = pencil.push(A_dot, P), pencil.push_vectors(Y, Y_dot, P)
    np.testing.assert_allclose(C_dot, (ahead.C - behind.C) / (2 * h), atol=1e-7)
    difference = ahead.expanded(Y + h * Y_dot) - behind.expanded(Y - h * Y_dot)
    np.testing.assert_allclose(V_dot, difference / (2 * h), atol=1e-7)

    C_bar, V_bar = hermitian(3, dtype, seed=4), normal(3, 2, dtype=dtype, seed=5)
    Y_bar = pencil.pull_vectors(V_bar)
    pulled = np.vdot(pencil.pull_first(C_bar), A_dot) + np.vdot(pencil.pull_second(C_bar, Y, Y_bar), B_dot)
    expected = np.vdot(C_bar, C_dot) + np.vdot(V_bar, V_dot)
    assert (pulled + np.vdot(Y_bar, Y_dot)).real == pytest.approx(expected.real)


def test_zeros():
    """Either tangent and the cotangent of the vectors may be zeros, and stacks broadcast."""
    zero, A, B = ZeroTangent(), hermitian(2), positive_definite(2, 2, 2)
    pencil = DefinitePencil.of(A, B, 1)
    E, P = hermitian(2, seed=1), pencil.factor_dot(hermitian(2, seed=2))

    assert pencil.C.shape == (2, 2, 2)
    assert pencil.factor_dot(zero) == zero
    assert pencil.pull_vectors(zero) == zero
    np.testing.assert_allclose(pencil.push(E, zero) + pencil.push(zero, P), pencil.push(E, P))
    np.testing.assert_allclose(pencil.push_vectors(A, E, zero), pencil.expanded(E))
    assert pencil.pull_second(E, A, zero).shape == (2, 2, 2)
