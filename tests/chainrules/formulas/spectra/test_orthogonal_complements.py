"""Tests of bases of a space and of its complement."""

import functools

import numpy as np
import pytest

from chainrules.formulas.spectra.orthogonal_complements import (
    complement_dot,
    cotangent_of_first,
    felt_by_complement,
)
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks

BASIS = np.linalg.qr(normal(4, 4, dtype=complex))[0]
U1, U2 = BASIS[:, :2], BASIS[:, 2:]
# A turn of the space out of itself.
U1_DOT = U2 @ normal(2, 2, dtype=complex)


def test_complement_follows():
    """Both stay orthogonal, and the complement does not turn in itself."""
    U2_dot = complement_dot(U1, U1_DOT, U2)

    np.testing.assert_allclose(U1.conj().T @ U2_dot + U1_DOT.conj().T @ U2, 0, atol=1e-14)
    np.testing.assert_allclose(U2.conj().T @ U2_dot, 0, atol=1e-14)


def test_adjoint():
    """The cotangent is right in reverse, for a function of the projection onto the complement."""
    W = normal(4, 4, dtype=complex, seed=1)
    U2_bar = (W + W.conj().T) @ U2

    forwards = np.vdot(U2_bar, complement_dot(U1, U1_DOT, U2))
    backwards = np.vdot(felt_by_complement("f", U1, U2, U2_bar), U1_DOT)

    np.testing.assert_allclose(forwards.real, backwards.real)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_first_columns(k):
    """All columns are the first ones and those that are felt by them; of each basis of a stack."""
    W = normal(4, 4, dtype=complex, seed=1)
    Q1, Q_bar = BASIS[:, :k], (W + W.conj().T) @ BASIS
    Q1_bar = cotangent_of_first("f", Q1, BASIS, Q_bar)

    Q1_dot = BASIS[:, k:] @ normal(4 - k, k, dtype=complex, seed=2)
    Q_dot = np.concatenate((Q1_dot, complement_dot(Q1, Q1_dot, BASIS[:, k:])), axis=1)
    np.testing.assert_allclose(np.vdot(Q1_bar, Q1_dot).real, np.vdot(Q_bar, Q_dot).real, atol=1e-13)
    assert not np.any(cotangent_of_first("f", Q1, BASIS, ZeroTangent()))
    check_stacks(functools.partial(cotangent_of_first, "f"), Q1, BASIS, Q_bar)


def test_choice_of_the_basis():
    """A function of it is refused by name."""
    with pytest.raises(ValueError, match="f has no derivative by vectors that complete the basis"):
        felt_by_complement("f", U1, U2, normal(4, 2, dtype=complex))
