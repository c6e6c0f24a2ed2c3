"""The rules of `numpy.linalg.lstsq`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_kinds, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results


@pytest.mark.parametrize(
    ("shape", "right"),
    [
        ((2, 2), (2,)),
        ((3, 2), ()),
        ((3, 2), (2,)),
        ((2, 3), ()),
        ((2, 3), (2,)),
        ((0, 2), ()),
        ((2, 0), (1,)),
    ],
)
def test_lstsq(shape, right):
    """More, as many and fewer equations than unknowns; one right-hand side and several."""
    check_results(np.linalg.lstsq, normal(*shape), normal(shape[0], *right, seed=1), rcond=None)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_complex_lstsq(shape):
    """The residuals and the singular values are real."""
    A, B = normal(*shape, dtype=complex), normal(shape[0], dtype=complex, seed=1)

    check_results(np.linalg.lstsq, A, B, rcond=None)


def test_bound_for_the_rank_by_position():
    """It has no derivative."""
    check_results(np.linalg.lstsq, normal(4, 2), normal(4, seed=1), 1e-9)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
def test_along_constant_rank(shape, dtype):
    """The solution of minimal norm has a derivative in the directions that keep a rank of 2."""
    m, n = shape
    shapes = [(m, 2), (2, n), (m, 2)]
    X, Y, B = (normal(*s, dtype=dtype, seed=i) for i, s in enumerate(shapes))
    X_dot, Y_dot, B_dot = (normal(*s, dtype=dtype, seed=i + 3) for i, s in enumerate(shapes))
    A, A_dot = X @ Y, X_dot @ Y + X @ Y_dot
    h = 1e-5
    above, below = (
        np.linalg.lstsq((X + t * X_dot) @ (Y + t * Y_dot), B + t * B_dot, rcond=1e-8) for t in (h, -h)
    )
    expected = (above[0] - below[0]) / (2 * h)
    weights = normal(n, 2, dtype=dtype, seed=7)

    _, y_dot = frule((NoTangent(), A_dot, B_dot), np.linalg.lstsq, A, B, rcond=1e-8)
    y, pullback = rrule(np.linalg.lstsq, A, B, rcond=1e-8)
    _, A_bar, B_bar = pullback(Tangent[tuple](weights, ZeroTangent(), NoTangent(), ZeroTangent()))

    assert y[2] == 2
    np.testing.assert_allclose(y_dot[0], expected, atol=1e-7)
    pushed = np.real(np.vdot(A_bar, A_dot) + np.vdot(B_bar, B_dot))
    np.testing.assert_allclose(pushed, np.real(np.vdot(weights, expected)), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 3), (3, 4)])
def test_values_left_out_are_not_zero(shape, dtype):
    """Kept singular vectors turn towards them."""
    U, _, V_adjoint = np.linalg.svd(normal(*shape, dtype=dtype), full_matrices=False)
    A = U * np.array([3.0, 2.0, 0.5]) @ V_adjoint
    check_results(np.linalg.lstsq, A, normal(shape[0], 2, dtype=dtype, seed=1), rcond=0.4)


def test_rank_zero():
    """The solution by a matrix of zeros is zero, whatever the right-hand side."""
    _, pullback = rrule(np.linalg.lstsq, np.zeros((3, 2)), normal(3), rcond=None)

    _, A_bar, B_bar = pullback((normal(2), ZeroTangent(), NoTangent(), ZeroTangent()))

    np.testing.assert_array_equal(A_bar, np.zeros((3, 2)))
    np.testing.assert_array_equal(B_bar, np.zeros(3))


def test_constants():
    """A zero tangent stays one; either operand may be constant."""
    A, B, zero = normal(4, 2), normal(4, seed=1), ZeroTangent()

    assert frule((NoTangent(), zero, zero), np.linalg.lstsq, A, B, rcond=None)[1] == zero
    both, by_A, by_B = (
        frule((NoTangent(), *dots), np.linalg.lstsq, A, B, rcond=None)[1]
        for dots in ((A, B), (A, zero), (zero, B))
    )
    for place in (0, 1, 3):
        np.testing.assert_allclose(by_A[place] + by_B[place], both[place], atol=1e-14)


def test_parts_of_a_cotangent():
    """Any part may be zero, or all."""
    _, pullback = rrule(np.linalg.lstsq, normal(4, 2), normal(4, seed=1), rcond=None)
    zero = ZeroTangent()
    parts = (normal(2), normal(1, seed=1), NoTangent(), normal(2, seed=2))

    _, A_bar, B_bar = pullback(parts)
    alone = [
        pullback(tuple(part if i == place else zero for i, part in enumerate(parts))) for place in (0, 1, 3)
    ]

    np.testing.assert_allclose(sum(bars[1] for bars in alone), A_bar)
    np.testing.assert_allclose(alone[0][2] + alone[1][2], B_bar)
    assert alone[2][2] == zero
    assert pullback(zero)[1:] == (zero, zero)


def test_a_tangent_of_the_cutoff():
    """The solution does not change with the cutoff between singular values."""
    tangents = NoTangent(), ZeroTangent(), ZeroTangent(), 1.0

    assert frule(tangents, np.linalg.lstsq, normal(3, 2), normal(3), 1e-3)[1] is ZeroTangent()


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(np.linalg.lstsq, normal(4, 2), normal(4, 3, seed=1), rcond=None)
