"""The derivatives of the cosine-sine decomposition, against the equation that they solve."""

import itertools

import numpy as np
import pytest
from scipy.linalg import cossin

from chainrules.formulas.spectra.turned_planes import TurnedPlanes
from chainrules.values.stacks import adjoint
from tests.chainrules.rule_checks import normal


def planes_of(m, p, q, dtype, swap_sign):
    """The planes of a random matrix."""
    X = np.linalg.qr(normal(m, m, dtype=dtype, seed=4))[0]
    return X, TurnedPlanes.of(cossin(X, p, q, swap_sign=swap_sign), p, q, -1.0 if swap_sign else 1.0)


@pytest.mark.parametrize("swap_sign", [False, True])
@pytest.mark.parametrize("dtype", [float, complex])
def test_factors_move_with_their_product(dtype, swap_sign):
    """``U D Vᴴ`` has the tangent of the matrix, bases stay unitary, and pulling is the adjoint of pushing."""
    for m in range(2, 7):
        for p, q in itertools.product(range(1, m), repeat=2):
            X, planes = planes_of(m, p, q, dtype, swap_sign)
            U, D, V = planes.U, planes.D, planes.V
            X_dot = X @ normal(m, m, dtype=dtype) - normal(m, m, dtype=dtype).conj().T @ X
            X_dot = X @ (adjoint(X) @ X_dot - adjoint(X_dot) @ X) / 2
            largest = max(n for k, n in enumerate(planes.sizes) if k != 1)
            if largest > (dtype is float):
                with pytest.raises(ValueError, match="they are an arbitrary choice"):
                    planes.push(X_dot)
                continue
            angle_dot, U_dot, V_dot = planes.push(X_dot)
            D_dot = planes.push_middle(angle_dot)
            moved = U_dot @ D @ adjoint(V) + U @ D_dot @ adjoint(V) + U @ D @ adjoint(V_dot)
            np.testing.assert_allclose(moved, X_dot, atol=1e-10)
            for basis, dot in ((U, U_dot), (V, V_dot)):
                np.testing.assert_allclose(adjoint(basis) @ dot + adjoint(dot) @ basis, 0 * X, atol=1e-10)
            np.testing.assert_allclose(planes.push_angles(X_dot), angle_dot, atol=1e-12)
            bars = normal(m, m, dtype=dtype, seed=1), normal(m, m, seed=2), normal(m, m, dtype=dtype, seed=3)
            X_bar = planes.pull(bars[0], planes.pull_middle(bars[1]), bars[2])
            expected = sum(
                np.real(np.vdot(bar, dot)) for bar, dot in zip(bars, (U_dot, D_dot, V_dot), strict=True)
            )
            np.testing.assert_allclose(np.real(np.vdot(X_bar, X_dot)), expected, rtol=1e-9)
