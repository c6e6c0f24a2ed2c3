"""The derivatives of the solutions of Riccati equations, against the residual of the equation."""

import numpy as np
import pytest
from scipy.linalg import (
    solve_continuous_are,
    solve_continuous_lyapunov,
    solve_discrete_are,
    solve_discrete_lyapunov,
)

from chainrules.formulas.equations.riccati_equations import Riccati
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import positive_definite

A, B = normal(3, 3) / 2, normal(3, 2)
Q, R = positive_definite(3, 3), positive_definite(2, 2)
CASES = [
    (False, solve_continuous_are, lambda A, Q: solve_continuous_lyapunov(A, -Q)),
    (True, solve_discrete_are, solve_discrete_lyapunov),
]


@pytest.mark.parametrize(("is_discrete", "solve", "lyapunov"), CASES)
def test_both_modes(is_discrete, solve, lyapunov):
    """The tangent is that of central differences, and the cotangents its transpose."""
    h, zero = 1e-6, ZeroTangent()
    A_dot, B_dot = normal(3, 3, seed=1), normal(3, 2, seed=2)
    equation = Riccati.of(solve(A, B, Q, R), (A, B, Q, R, None, None), is_discrete, lyapunov)

    X_dot = equation.push((A_dot, B_dot, Q, R, zero, zero))
    ahead, behind = (solve(A + t * A_dot, B + t * B_dot, (1 + t) * Q, (1 + t) * R) for t in (h, -h))
    np.testing.assert_allclose(X_dot, (ahead - behind) / (2 * h), atol=1e-6)
    X_bar = normal(3, 3, seed=3)
    bars = equation.pull(X_bar)
    dots = A_dot, B_dot, Q, R
    assert sum(np.vdot(bar, dot) for bar, dot in zip(bars[:4], dots, strict=True)) == pytest.approx(
        np.vdot(X_bar, X_dot)
    )
    assert equation.push((zero,) * 6) == zero
    np.testing.assert_allclose(equation.push((zero, zero, zero, zero, zero, 0 * B)), 0)


@pytest.mark.parametrize(("is_discrete", "solve", "lyapunov"), CASES)
def test_all_coefficients(is_discrete, solve, lyapunov):
    """With a mass matrix and a cross term, both modes."""
    args = A, B, Q, R, np.eye(3) + normal(3, 3, seed=4) / 5, normal(3, 2, seed=5) / 5
    dots = normal(3, 3, seed=1), normal(3, 2, seed=2), Q, R, normal(3, 3, seed=6), normal(3, 2, seed=7)
    equation = Riccati.of(solve(*args), args, is_discrete, lyapunov)

    X_dot, h = equation.push(dots), 1e-5
    ahead, behind = (solve(*[x + t * dot for x, dot in zip(args, dots, strict=True)]) for t in (h, -h))
    np.testing.assert_allclose(X_dot, (ahead - behind) / (2 * h), atol=1e-6)  # of second order
    X_bar = normal(3, 3, seed=3)
    pulled = sum(np.vdot(bar, dot) for bar, dot in zip(equation.pull(X_bar), dots, strict=True))
    assert pulled == pytest.approx(np.vdot(X_bar, X_dot))


@pytest.mark.parametrize(("is_discrete", "solve", "lyapunov"), CASES)
def test_closed_loop_is_stable(is_discrete, solve, lyapunov):
    """That is the solution of all that SciPy returns; so the Lyapunov equation has a solution."""
    equation = Riccati.of(solve(A, B, Q, R), (A, B, Q, R, None, None), is_discrete, lyapunov)
    w = np.linalg.eigvals(equation.F)

    assert (np.abs(w) < 1).all() if is_discrete else (w.real < 0).all()
