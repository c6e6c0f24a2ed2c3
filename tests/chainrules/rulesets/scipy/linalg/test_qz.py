"""The rules of `scipy.linalg.qz` and `ordqz`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import eigh, ordqz, qz

from chainrules.ad import grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import check_results, hermitian, positive_definite
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks

A, B = hermitian(3), positive_definite(3, 3)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_qz(n):
    """Pairs with real eigenvalues."""
    check_results(qz, hermitian(n), positive_definite(n, n))


@pytest.mark.parametrize("sort", ["rhp", "ouc"])
def test_ordqz(sort):
    """The values in another order, which stay real, and the diagonals."""
    check_results(ordqz, A, B, sort)
    y, pullback = rrule(ordqz, A, B, sort)
    bars = [np.ones_like(x) for x in y]
    together = pullback(Tangent[tuple](*bars))
    S_bar, T_bar = bars[0] + np.eye(3), bars[1] + np.eye(3)
    alone = pullback(Tangent[tuple](S_bar, T_bar, ZeroTangent(), ZeroTangent(), *bars[4:]))
    for one, other in zip(together[1:3], alone[1:3], strict=True):
        np.testing.assert_allclose(one, other)
    _, y_dot = frule((None, A, B, None), ordqz, A, B, sort)
    np.testing.assert_allclose(y_dot[2], np.diagonal(y_dot[0]))
    np.testing.assert_allclose(y_dot[3], np.diagonal(y_dot[1]))
    with pytest.raises(ValueError, match=r"ordqz.* can be differentiated for real matrices"):
        rrule(ordqz, A + 0j, B)


@stacks
def test_stacks():
    """Stacks of pairs."""
    check_results(qz, np.stack([A, 2 * A]), np.stack([B, B + np.eye(3)]))


def test_eigenvalues():
    """They are the quotients of the diagonals."""

    def by_qz(A, B):
        S, T, *_ = qz(A, B)
        return np.sum((np.diagonal(S) / np.diagonal(T)) ** 3)

    def by_eigh(A, B):
        return np.sum(eigh((A + A.T) / 2, (B + B.T) / 2, eigvals_only=True) ** 3)

    for actual, expected in zip(*(grad(f, (0, 1))(A, B) for f in (by_qz, by_eigh)), strict=True):
        np.testing.assert_allclose(actual + actual.T, 2 * expected, rtol=1e-8, atol=1e-8)


TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])


@pytest.mark.parametrize(
    ("pair", "named"),
    [((TURN, np.eye(2)), {}), ((A, B), {"output": "complex"}), ((1j * A, B), {})],
)
def test_complex_eigenvalues_and_matrices(pair, named):
    """They are refused."""
    with pytest.raises(ValueError, match="real matrices with real eigenvalues"):
        rrule(qz, *pair, **named)


def test_equal_eigenvalues_and_singular_matrices():
    """Their derivatives are NaN, and an error."""
    _, y_dot = frule((NoTangent(), A, B), qz, np.eye(3), np.eye(3))
    assert np.isnan(y_dot[2]).any()
    _, pullback = rrule(qz, A, np.diag([1.0, 1.0, 0.0]))
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        pullback((A, A, A, A))


def test_constants():
    """Zeros stay zeros; each part may be one."""
    zero = ZeroTangent()
    _, pullback = rrule(qz, A, B)
    bars = [normal(3, 3, seed=seed) for seed in range(4)]
    parts = [pullback([x if i == j else zero for j, x in enumerate(bars)])[1:] for i in range(4)]
    for total, terms in zip(pullback(bars)[1:], zip(*parts, strict=True), strict=True):
        np.testing.assert_allclose(sum(terms), total, atol=1e-10)
    assert pullback([zero] * 4)[1] == zero
    both = frule((NoTangent(), A, B), qz, A, B)[1]
    single = [frule((NoTangent(), *pair), qz, A, B)[1] for pair in ((A, zero), (zero, B))]
    for i in range(4):
        np.testing.assert_allclose(single[0][i] + single[1][i], both[i], atol=1e-10)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused."""
    check_memory_and_checks(qz, A, B)
