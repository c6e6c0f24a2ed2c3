"""The derivatives of the singular value decomposition, against finite differences."""

import numpy as np
import pytest

from chainrules.formulas.spectra.singular_vectors import pull_decomposition, push_decomposition
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (3, 3)])
def test_both_modes(shape, dtype):
    """The tangents are those of central differences, and the cotangent their transpose."""
    A, A_dot, h = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1), 1e-6
    y = np.linalg.svd(A, full_matrices=False)

    parts, dots = push_decomposition(A, A_dot, y)
    ahead, behind = (np.linalg.svd(A + t * A_dot, full_matrices=False) for t in (h, -h))
    for actual, high, low in zip(dots, ahead, behind, strict=True):
        np.testing.assert_allclose(actual, (high - low) / (2 * h), atol=1e-7)
    bars = [normal(*part.shape, dtype=part.dtype, seed=k) for k, part in enumerate(parts, 2)]
    A_bar = pull_decomposition("svd", y, *bars)
    expected = sum(np.vdot(bar, dot).real for bar, dot in zip(bars, dots, strict=True))
    assert np.vdot(A_bar, A_dot).real == pytest.approx(expected)
    check_stacks(lambda A, A_dot, *y: push_decomposition(A, A_dot, y)[1], A, A_dot, *y)
    check_stacks(lambda *parts: pull_decomposition("svd", parts[:3], *parts[3:]), *y, *bars)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (3, 3)])
def test_complete_bases(shape, dtype):
    """The other vectors stay orthogonal to the first ones, and turn among themselves as LAPACK's do."""
    A, A_dot, k = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1), min(shape)
    thin, complete = (np.linalg.svd(A, full_matrices=is_full) for is_full in (False, True))

    _, (U_dot, s_dot, Vh_dot) = push_decomposition(A, A_dot, complete)
    _, of_thin = push_decomposition(A, A_dot, thin)
    h = 1e-5
    moved = [np.linalg.svd(A + sign * h * A_dot) for sign in (1, -1)]
    for Q, Q_dot, expected, ends in (
        (complete[0], U_dot, of_thin[0], [U for U, _, _ in moved]),
        (complete[2].conj().T, Vh_dot.conj().T, of_thin[2].conj().T, [Vh.conj().T for _, _, Vh in moved]),
    ):
        turn = Q.conj().T @ Q_dot
        np.testing.assert_allclose(turn, -turn.conj().T, atol=1e-13)
        np.testing.assert_allclose(Q_dot[:, k:], (ends[0] - ends[1])[:, k:] / (2 * h), atol=1e-7)
        np.testing.assert_allclose(Q_dot[:, :k], expected, atol=1e-13)
    np.testing.assert_allclose(s_dot, of_thin[1])
    check_stacks(lambda A, A_dot, *y: push_decomposition(A, A_dot, y)[1], A, A_dot, *complete)


def test_zeros():
    """Any part may have no cotangent."""
    y = np.linalg.svd(normal(2, 2))
    zero = ZeroTangent()

    assert pull_decomposition("svd", y, zero, zero, zero) == zero
    whole = pull_decomposition("svd", y, np.ones((2, 2)), np.ones(2), np.ones((2, 2)))
    parts = [
        pull_decomposition("svd", y, np.ones((2, 2)), zero, zero),
        pull_decomposition("svd", y, zero, np.ones(2), zero),
        pull_decomposition("svd", y, zero, zero, np.ones((2, 2))),
    ]
    np.testing.assert_allclose(sum(parts), whole)


def test_choice_of_a_basis():
    """The message of the refusal says which call it is about."""
    y = np.linalg.svd(normal(3, 1))
    with pytest.raises(ValueError, match=r"^the call has no derivative"):
        pull_decomposition("the call", y, normal(3, 3), ZeroTangent(), ZeroTangent())
