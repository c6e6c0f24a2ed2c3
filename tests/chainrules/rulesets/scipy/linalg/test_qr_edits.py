"""Decompositions in which rows and columns are inserted, or of which some are deleted."""

import numpy as np
import pytest
from scipy.linalg import qr, qr_delete, qr_insert

from chainrules.ad import jvp, vjp
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import jacobian
from tests.chainrules.rule_checks import record_rules

rng = np.random.default_rng(5)


def check(program, *args):
    """Both modes, against finite differences of a program that makes the factors itself."""
    flat = np.concatenate([np.ravel(x) for x in args])
    ends = np.cumsum([np.size(x) for x in args])[:-1]

    def of_vector(v):
        parts = [np.reshape(part, np.shape(x)) for part, x in zip(np.split(v, ends), args, strict=True)]
        Q, R = program(*parts)
        return np.concatenate([np.ravel(Q), np.ravel(R)])

    J = jacobian(None, of_vector, flat)[0]
    dots = tuple(rng.normal(size=np.shape(x)) for x in args)
    y, y_dot = jvp(program, args, dots)
    expected = J @ np.concatenate([np.ravel(x) for x in dots])
    np.testing.assert_allclose(np.concatenate([np.ravel(x) for x in y_dot]), expected, rtol=1e-8, atol=1e-8)
    bars = tuple(rng.normal(size=np.shape(x)) for x in y)
    found = vjp(program, *args)[1](bars)
    of_bars = J.T @ np.concatenate([np.ravel(x) for x in bars])
    np.testing.assert_allclose(np.concatenate([np.ravel(x) for x in found]), of_bars, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(
    ("shape", "mode", "u_shape", "k", "which"),
    [
        ((3, 3), "full", (3,), 1, "row"),
        ((5, 3), "economic", (3,), 0, "row"),
        ((5, 3), "economic", (2, 3), -2, "row"),
        ((5, 3), "economic", (5,), 2, "col"),
        ((6, 3), "economic", (6, 2), 1, "col"),
        ((4, 3), "full", (4,), -1, "col"),
        ((2, 3), "full", (3,), 2, "row"),
        ((3, 3), "full", (3, 2), 1, "col"),
    ],
)
def test_insertions(shape, mode, u_shape, k, which):
    """Of rows and of columns."""
    check(
        lambda A, u: qr_insert(*qr(A, mode=mode), u, k, which),
        rng.normal(size=shape),
        rng.normal(size=u_shape),
    )


@pytest.mark.parametrize(
    ("shape", "mode", "k", "p", "which"),
    [
        ((4, 3), "full", 1, 1, "row"),
        ((5, 3), "economic", 0, 1, "row"),
        ((6, 3), "economic", -3, 2, "row"),
        ((5, 3), "economic", 1, 1, "col"),
        ((5, 4), "economic", 0, 2, "col"),
        ((3, 3), "full", -2, 1, "col"),
        ((3, 4), "full", 1, 1, "col"),
    ],
)
def test_deletions(shape, mode, k, p, which):
    """Of rows and of columns."""
    check(lambda A: qr_delete(*qr(A, mode=mode), k, p, which), rng.normal(size=shape))


def test_completed_bases():
    """The triangle has a derivative in reverse; the basis that completes the columns is arbitrary."""
    A, u = rng.normal(size=(5, 3)), rng.normal(size=3)
    Q, R = qr(A)
    y, pullback = rrule(qr_insert, Q, R, u, 1)
    thin = rrule(qr_insert, *qr(A, mode="economic"), u, 1)[1]
    R_bar = rng.normal(size=(6, 3))
    sign = np.sign(np.diag(y[1]) * np.diag(qr_insert(*qr(A, mode="economic"), u, 1)[1]))
    found, expected = pullback((NoTangent(), R_bar)), thin((NoTangent(), sign[:, None] * R_bar[:3]))
    np.testing.assert_allclose(found[3], expected[3], atol=1e-12)
    with pytest.raises(ValueError, match="arbitrary"):
        pullback((rng.normal(size=(6, 6)), NoTangent()))
    with pytest.raises(ValueError, match='mode="economic"'):
        frule((NoTangent(), Q, R, NoTangent(), NoTangent()), qr_insert, Q, R, u, 1)


def test_no_cotangent_and_complex_matrices():
    """Nothing comes of nothing; a complex triangle has no real diagonal."""
    Q, R = qr(rng.normal(size=(3, 3)))
    record_rules(qr_insert, Q, R, np.ones(3), 1)
    record_rules(qr_delete, Q, R, 1)
    nothing = NoTangent(), NoTangent()
    assert all(isinstance(bar, NoTangent) for bar in rrule(qr_insert, Q, R, np.ones(3), 1)[1](nothing))
    assert all(isinstance(bar, NoTangent) for bar in rrule(qr_delete, Q, R, 1)[1](nothing))
    with pytest.raises(ValueError, match="real matrices"):
        rrule(qr_delete, Q * 1j, R, 1)
