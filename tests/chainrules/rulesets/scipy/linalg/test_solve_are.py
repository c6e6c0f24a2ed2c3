"""The rules of algebraic Riccati equations, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are, solve_discrete_are

from chainrules.ad import grad, hvp, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular

EQUATIONS = [solve_continuous_are, solve_discrete_are]


def hermitian_part(X):
    """What SciPy wants of two of the coefficients."""
    return (X + np.conj(np.swapaxes(X, -1, -2))) / 2


def coefficients(dtype):
    """``A, B, Q, R, E, S``."""
    Q, R = positive_definite(3, 3, dtype=dtype), positive_definite(2, 2, dtype=dtype)
    E, S = regular(3, 3, dtype=dtype) / 3, normal(3, 2, dtype=dtype) / 9
    return normal(3, 3, dtype=dtype) / 2, normal(3, 2, dtype=dtype), Q, R, E, S


def weighted(solve, *args, **named):
    """A function of a solution, by coefficients that need not be Hermitian."""
    A, B, Q, R, *others = args
    X = solve(A, B, hermitian_part(Q), hermitian_part(R), *others, **named)
    W = normal(3, 3, dtype=complex, seed=9)
    return np.sum(np.real(X * W)) + np.sum(np.real(X @ X * np.conj(W)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [4, 5, 6])
@pytest.mark.parametrize("solve", EQUATIONS)
def test_solution(solve, count, dtype):
    """By all coefficients, both modes, and products of the Hessian with a vector."""
    args = coefficients(dtype)[:count]
    dots = [normal(*x.shape, dtype=dtype, seed=k) for k, x in enumerate(args)]

    def f(*args):
        return weighted(solve, *args)

    def slope(f):
        # Of fourth order. The steps are short: not all matrices around have solutions.
        ahead, behind, far_ahead, far_behind = (
            f(*[x + t * dot for x, dot in zip(args, dots, strict=True)]) for t in (2e-5, -2e-5, 4e-5, -4e-5)
        )
        return (8 * (ahead - behind) - (far_ahead - far_behind)) / 24e-5

    expected = slope(f)
    assert jvp(f, args, dots)[1] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    places = tuple(range(count))
    bars = grad(f, places)(*args)
    pulled = sum(np.real(np.vdot(bar, dot)) for bar, dot in zip(bars, dots, strict=True))
    assert pulled == pytest.approx(expected, rel=1e-9, abs=1e-9)
    second = jvp(grad(f), args, dots)[1]
    np.testing.assert_allclose(second, slope(grad(f)), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("solve", EQUATIONS)
def test_options(solve):
    """The coefficients that may be left out, by name, and balancing."""
    A, B, Q, R, _, S = coefficients(float)
    by_name = grad(lambda A: weighted(solve, A, B, Q, R, s=S, balanced=False))(A)
    by_place = grad(lambda A: weighted(solve, A, B, Q, R, None, S, False))(A)
    np.testing.assert_allclose(by_name, by_place)
    traced = grad(lambda S: weighted(solve, A, B, Q, R, s=S))(S)
    np.testing.assert_allclose(traced, grad(lambda S: weighted(solve, A, B, Q, R, None, S))(S))
    np.testing.assert_array_equal(hvp(lambda A: weighted(solve, A, B, Q, R), A, 0 * A), 0)


@pytest.mark.parametrize("solve", EQUATIONS)
def test_single_precision(solve):
    """The cotangents are of single precision, and near those of double precision."""
    args = coefficients(float)[:4]
    bars = rrule(solve, *args)[1](np.eye(3))[1:]
    X, pullback = rrule(solve, *(x.astype(np.float32) for x in args))
    for coarse, bar in zip(pullback(np.eye(3, dtype=X.dtype))[1:], bars, strict=True):
        assert coarse.dtype == np.float32
        # The invariant subspace that gives the solution is known to some four digits.
        np.testing.assert_allclose(coarse, bar, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("solve", EQUATIONS)
def test_constants(solve):
    """Zero tangents stay zero, and options have none."""
    args, zero = coefficients(float)[:4], ZeroTangent()

    assert frule((NoTangent(), zero, zero, zero, zero), solve, *args)[1] == zero
    bars = rrule(solve, *args, None, None, True)[1](np.eye(3))
    assert bars[5:] == (NoTangent(), NoTangent(), NoTangent())
