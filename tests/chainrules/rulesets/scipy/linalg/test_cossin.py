"""The rules of `scipy.linalg.cossin`, against finite differences along paths of unitary matrices."""

import numpy as np
import pytest
from scipy.linalg import cossin, expm

from chainrules.ad import ADConfig, grad, hessian, jacobian, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, frule_via_ad, rrule, rrule_via_ad
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.scipy.linalg.systems import stacks

CONFIG = ADConfig()


def unitary(*shape, dtype=float, seed=4):
    """Matrices whose angles are far from each other, and from zero and right ones."""
    return np.linalg.qr(normal(*shape, dtype=dtype, seed=seed))[0]


def turned(A):
    """A unitary matrix on a path of unitary matrices."""
    return unitary(*A.shape, dtype=A.dtype) @ expm(A - np.conj(A.T))


def results(y):
    """All arrays, without LAPACK's signs, which rounding may change: vectors times those of their sums."""
    first, middle, last = y
    bases = [x if isinstance(x, tuple) else (x,) for x in (first, last)]
    columns = [x * np.sign(np.sum(np.real(x), axis=-2, keepdims=True)) for x in bases[0]]
    rows = [x * np.sign(np.sum(np.real(x), axis=-1, keepdims=True)) for x in bases[1]]
    return *columns, middle, *rows


def blocks(X, p, q):
    """Four of them."""
    return X[..., :p, :q], X[..., :p, q:], X[..., p:, :q], X[..., p:, q:]


def check(m, p, q, dtype=float, order=1, **named):
    """Check the call, the matrix given as one and by its blocks, where turns move the matrix."""
    X, A = unitary(m, m, dtype=dtype), 0.1 * normal(m, m, dtype=dtype, seed=1)

    def of_turn(A):
        return results(cossin(turned(A), p, q, **named))

    def of_turned_blocks(A):
        return results(cossin(list(blocks(turned(A), p, q)), **named))

    zeros = (NoTangent(), X, NoTangent(), NoTangent())
    record_exercised(cossin, rrule.find(cossin, X, p, q))
    record_exercised(cossin, frule.find(zeros, cossin, X, p, q))
    for f in (of_turn, of_turned_blocks):
        test_frule(f, A, frule_f=frule_via_ad, config=CONFIG, rtol=1e-7, atol=1e-7, order=order)
        test_rrule(f, A, rrule_f=rrule_via_ad, config=CONFIG, rtol=1e-7, atol=1e-7, order=order, mode="fast")


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize(("m", "p", "q"), [(2, 1, 1), (4, 2, 2), (6, 3, 3)])
def test_square_blocks(m, p, q, dtype):
    """Real and complex matrices, to the second order."""
    check(m, p, q, dtype, order=2 if m == 4 else 1)


@pytest.mark.parametrize(
    "named", [{"separate": True}, {"swap_sign": True}, {"swap_sign": True, "separate": True}]
)
@pytest.mark.parametrize("dtype", [float, complex])
def test_forms_of_the_result(named, dtype):
    """The factors in parts, and the sines with the other sign."""
    check(4, 2, 2, dtype, **named)


@pytest.mark.parametrize("swap_sign", [False, True])
@pytest.mark.parametrize(("p", "q"), [(3, 3), (2, 3), (3, 2), (2, 2)])
def test_blocks_that_are_not_square(p, q, swap_sign):
    """One vector of a one in the middle factor has a sign, and no choice else."""
    check(5, p, q, swap_sign=swap_sign)
    check(6, 2 if p == 2 else 4, 3, swap_sign=swap_sign, separate=True)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize(("p", "q"), [(1, 2), (4, 1), (2, 4), (3, 1), (4, 4)])
def test_angles_have_derivatives_for_all_blocks(p, q, dtype):
    """No vectors are asked for."""
    A = 0.1 * normal(5, 5, dtype=dtype, seed=1)

    def angles(A):
        return cossin(turned(A), p, q, separate=True, compute_u=False, compute_vh=False)[1]

    test_frule(angles, A, frule_f=frule_via_ad, config=CONFIG, rtol=1e-7, atol=1e-7)
    test_rrule(angles, A, rrule_f=rrule_via_ad, config=CONFIG, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("place", ["compute_u", "compute_vh"])
@pytest.mark.parametrize("separate", [False, True])
def test_a_basis_that_is_not_computed(place, separate):
    """It is empty, and so is its tangent; the others have the same derivatives."""
    X, X_dot = unitary(4, 4), normal(4, 4)
    named = {place: False, "separate": separate}
    kept = 2 if place == "compute_u" else 0
    y, y_dot = jvp(lambda X: cossin(X, 2, 2, **named), (X,), (X_dot,))
    whole, whole_dot = jvp(lambda X: cossin(X, 2, 2, separate=separate), (X,), (X_dot,))
    for k in (kept, 1):
        np.testing.assert_allclose(y[k], whole[k], atol=1e-12)
        np.testing.assert_allclose(y_dot[k], whole_dot[k], atol=1e-10)
    assert np.size(y_dot[2 - kept]) == 0
    one, other = (
        grad(lambda X, named=named: np.sum(cossin(X, 2, 2, **named)[kept][0] ** 3))(X)
        for named in (named, {"separate": separate})
    )
    np.testing.assert_allclose(one, other, atol=1e-10)


def test_forms_of_the_matrix():
    """Four numbers, a tuple, an array of blocks; one size given, and by keyword."""

    def angle(t):
        return cossin((np.cos(t), -np.sin(t), np.sin(t), np.cos(t)), separate=True)[1][0]

    assert grad(angle)(0.3) == 1.0
    np.testing.assert_allclose(grad(angle)(2.0), -1.0)
    X, W = unitary(4, 4), normal(4, 4)
    expected = grad(lambda X: np.sum(W * cossin(X, 2, 2)[2]))(X)
    for parts in (blocks(X, 2, 2), np.stack(blocks(X, 2, 2))):
        actual = grad(lambda parts: np.sum(W * cossin(parts)[2]))(parts)
        for part, part_bar in zip(blocks(expected, 2, 2), actual, strict=True):
            np.testing.assert_allclose(part_bar, part, atol=1e-12)
    one, other = (
        grad(lambda X, f=f: np.sum(cossin(X, **f)[1] ** 3))(X) for f in ({"p": 3}, {"p": 3, "q": 1})
    )
    np.testing.assert_array_equal(one, other)


@stacks
def test_stacks_and_single_precision():
    """Each matrix has its own derivative; precision is kept."""
    X, W = unitary(3, 4, 4), normal(4, 4)

    def f(X):
        u, cs, vh = cossin(X, 2, 2)
        return np.sum(W * u * u) + np.sum(W * cs) + np.sum(W * vh * vh)

    expected = np.stack([grad(f)(x) for x in X])
    np.testing.assert_allclose(grad(f)(X), expected, atol=1e-10)
    in_single = grad(f)(X.astype(np.float32))
    assert in_single.dtype == np.float32
    # Seven digits, of which a division by the distance of two angles leaves fewer.
    np.testing.assert_allclose(in_single, expected, rtol=1e-3, atol=1e-3)
    dots = jvp(lambda X: cossin(X, 2, 2)[1], (X,), (X @ (W - W.T),))[1]
    for x, dot in zip(X, dots, strict=True):
        np.testing.assert_allclose(dot, jvp(lambda X: cossin(X, 2, 2)[1], (x,), (x @ (W - W.T),))[1])


def test_gradients_are_by_turns():
    """They are tangents of unitary matrices, and of other tangents that part counts."""
    X, W = unitary(4, 4), normal(4, 4)
    X_bar = grad(lambda X: np.sum(W * cossin(X, 2, 2)[0]))(X)
    np.testing.assert_allclose(X.T @ X_bar + X_bar.T @ X, np.zeros((4, 4)), atol=1e-12)
    dots = [jvp(lambda X: cossin(X, 2, 2), (X,), (X @ K,))[1] for K in (W, (W - W.T) / 2)]
    for one, other in zip(*dots, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_vectors_that_are_chosen():
    """Forwards they are refused, and in reverse what feels the choice."""
    A, W = 0.1 * normal(6, 6, seed=1), normal(5, 5)

    def projected(A):
        """By the space of three vectors that belong to ones."""
        (_, u2), _, _ = cossin(turned(A), 1, 2, separate=True)
        return np.sum(normal(5, 5) * (u2[:, :3] @ u2[:, :3].T))

    test_rrule(projected, A, rrule_f=rrule_via_ad, config=CONFIG, rtol=1e-7, atol=1e-7)
    with pytest.raises(ValueError, match="one if it is the same for every choice"):
        grad(lambda A: np.sum(W * cossin(turned(A), 1, 2, separate=True)[0][1]))(A)
    with pytest.raises(ValueError, match="Ask for angles alone, `compute_u=False, compute_vh=False`"):
        jacobian(projected, mode="forward")(A)
    with pytest.raises(ValueError, match="or the vectors complex"):
        jvp(lambda X: cossin(X, 2, 2), (unitary(5, 5, dtype=complex),), (np.ones((5, 5)),))


def test_angles_that_are_equal_zero_or_right():
    """What is the same for every basis has a derivative; angles have kinks at both ends."""
    c, s = np.cos(0.3), np.sin(0.3)
    X = np.kron([[c, -s], [s, c]], np.eye(2))
    turn = np.kron([[0, -1], [1, 0]], np.eye(2))

    def total(X):
        return np.sum(cossin(X, 2, 2, separate=True)[1])

    def constant(X):
        u = cossin(X, 2, 2)[0]
        return np.sum(normal(4, 4) * (u @ u.T))

    np.testing.assert_allclose(np.sum(grad(total)(X) * (X @ turn)), 2.0)
    np.testing.assert_allclose(grad(constant)(X), np.zeros((4, 4)), atol=1e-12)
    assert np.isnan(grad(lambda X: np.sum(normal(4, 4) * cossin(X, 2, 2)[0]))(X)).any()
    assert np.isnan(grad(lambda X: sum(np.sum(normal(4, 4) * x) for x in cossin(X, 2, 2)[:2]))(X)).any()
    assert np.isnan(jvp(lambda X: cossin(X, 2, 2)[0], (X,), (X @ normal(4, 4),))[1]).any()
    for kink in (np.eye(4), turn):
        np.testing.assert_array_equal(grad(total)(kink), np.zeros((4, 4)))
        tangent = kink @ (normal(4, 4) - normal(4, 4).T)
        dot = jvp(
            lambda X: cossin(X, 2, 2, separate=True, compute_u=False, compute_vh=False)[1],
            (kink,),
            (tangent,),
        )[1]
        np.testing.assert_array_equal(dot, np.zeros(2))


def test_second_derivatives_of_angles():
    """Of both modes."""
    X, K = unitary(4, 4), normal(2, 4, 4)

    def f(t):
        turned = X @ expm(t[0] * (K[0] - K[0].T) + t[1] * (K[1] - K[1].T))
        return np.sum(np.tan(cossin(turned, 2, 1, separate=True, compute_u=False, compute_vh=False)[1]))

    t, h = np.array([0.1, 0.2]), 1e-5
    differences = [(grad(f)(t + h * e) - grad(f)(t - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(hessian(f)(t), differences, rtol=1e-6, atol=1e-6)


def test_zeros_stay_zeros():
    """Each cotangent may be a zero; their sum is what all give."""
    X, zero = unitary(4, 4), ZeroTangent()
    for separate in (False, True):
        y, pullback = rrule(cossin, X, 2, 2, separate)
        bars = tuple(
            tuple(normal(*x.shape, seed=k) for k, x in enumerate(part)) if isinstance(part, tuple) else part
            for part in y
        )
        parts = [
            pullback(Tangent[tuple](*(x if i == j else zero for j, x in enumerate(bars))))[1]
            for i in range(3)
        ]
        np.testing.assert_allclose(sum(parts), pullback(bars)[1], atol=1e-12)
        assert pullback((zero,) * 3)[1] == zero
    _, pullback = rrule(cossin, X, 2, 2, True)
    assert pullback((Tangent[tuple](zero, zero), zero, zero))[1] == zero
    half = pullback((Tangent[tuple](zero, np.ones((2, 2))), zero, zero))[1]
    np.testing.assert_allclose(half, pullback(((np.zeros((2, 2)), np.ones((2, 2))), zero, zero))[1])
    _, y_dot = frule((NoTangent(), zero, NoTangent(), NoTangent()), cossin, X, 2, 2)
    assert not any(np.any(x) for x in y_dot)
