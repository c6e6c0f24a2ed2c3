"""The rules of `scipy.linalg.qr_update`, against finite differences and those of the QR decomposition."""

import numpy as np
import pytest
from scipy.linalg import qr, qr_update

from chainrules.ad import grad, hvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks

A, Q, R = normal(4, 4), *qr(normal(4, 4))


def check_both_modes(args, args_dot):
    """Compare with central differences, and the modes with each other."""
    h = 1e-6
    _, y_dot = frule((NoTangent(), *args_dot), qr_update, *args)
    after, before = (
        qr_update(*(x + step * x_dot for x, x_dot in zip(args, args_dot, strict=True))) for step in (h, -h)
    )
    y_bar = normal(4, 4, seed=8), normal(4, 4, seed=9)
    for part, expected_after, expected_before in zip(y_dot, after, before, strict=True):
        np.testing.assert_allclose(part, (expected_after - expected_before) / (2 * h), atol=1e-7)
    bars = rrule(qr_update, *args)[1](y_bar)[1:]
    assert sum(np.sum(x_bar * x_dot) for x_bar, x_dot in zip(bars, args_dot, strict=True)) == pytest.approx(
        sum(np.sum(x_bar * x_dot) for x_bar, x_dot in zip(y_bar, y_dot, strict=True))
    )


@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 2)])
def test_qr_update(shape):
    """Vectors and columns of vectors; the matrix `Q` may move in any direction."""
    u, v = normal(*shape, seed=1), normal(*shape, seed=2)
    directions = [normal(*x.shape, seed=seed) for seed, x in enumerate((Q, R, u, v))]
    directions[1] = np.triu(directions[1])
    check_both_modes((Q, R, u, v), directions)


def test_functions_of_the_updated_matrix():
    """They have the derivatives of the decomposition from scratch, to second order."""

    def updated(A, u, v):
        Q1, R1 = qr_update(*qr(A), u, v)
        return np.sum(np.outer(range(4), range(4)) * (Q1 * np.diagonal(R1)) ** 2)

    def decomposed(A, u, v):
        Q1, R1 = qr(A + np.outer(u, v))
        return np.sum(np.outer(range(4), range(4)) * (Q1 * np.diagonal(R1)) ** 2)

    u, v = normal(4, seed=1), normal(4, seed=2)
    for actual, expected in zip(*(grad(f, (0, 1, 2))(A, u, v) for f in (updated, decomposed)), strict=True):
        np.testing.assert_allclose(actual, expected, atol=1e-10)
    pushed, by_qr = (hvp(lambda u, f=f: f(A, u, v), u, v) for f in (updated, decomposed))
    np.testing.assert_allclose(pushed, by_qr, atol=1e-9)


def test_single_precision():
    """It is kept."""
    args = [x.astype(np.float32) for x in (Q, R, normal(4), normal(4, seed=1))]
    y, pullback = rrule(qr_update, *args)
    assert [x_bar.dtype for x_bar in pullback(tuple(y))[1:]] == [np.float32] * 4
    assert [x_dot.dtype for x_dot in frule((NoTangent(), *args), qr_update, *args)[1]] == [np.float32] * 2


@pytest.mark.parametrize("factors", [qr(normal(4, 2)), qr(normal(4, 2), mode="economic"), qr(1j * A)])
def test_refusals(factors):
    """High and complex matrices are refused."""
    with pytest.raises(ValueError, match="real square matrix"):
        rrule(qr_update, *factors, np.ones(4), np.ones(factors[1].shape[1]))


def test_constants():
    """Zeros stay zeros; either part may be one."""
    args, zero = (Q, R, normal(4), normal(4, seed=1)), ZeroTangent()
    (Q1, R1), pullback = rrule(qr_update, *args)
    both = pullback((Q1, R1))[1:]
    for total, one, other in zip(both, pullback((Q1, zero))[1:], pullback((zero, R1))[1:], strict=True):
        np.testing.assert_allclose(one + other, total, atol=1e-12)
    assert pullback((zero, zero))[1] == zero
    np.testing.assert_array_equal(
        frule((NoTangent(), zero, zero, args[2], zero), qr_update, *args)[1][1].shape, (4, 4)
    )


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused."""
    check_memory_and_checks(qr_update, Q, R, normal(4), normal(4, seed=1))
