"""The rules of `scipy.linalg.solve`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning, hilbert, solve

from chainrules.ad import grad, vjp
from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_quickly, check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import RIGHT_SIDES, SCIPY, right_side, stacks

STRUCTURES = [None, "gen", "pos", "sym", "her", "diagonal", "tridiagonal", "banded"]
TRIANGLES = ["lower triangular", "upper triangular"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("assumed", [*STRUCTURES, *TRIANGLES])
def test_structures(assumed, dtype):
    """Each structure reads its elements alone, and the cotangent stands on these."""
    for is_lower in (False, True):
        named = {"assume_a": assumed, "lower": is_lower}
        A, B = regular(4, 4, dtype=dtype), right_side((4, 2), dtype)
        test_frule(solve, A, B, fkwargs=named)
        test_rrule(solve, A, B, fkwargs=named)
    check_rule(solve, A, right_side((4,), dtype), assume_a=assumed)


@pytest.mark.parametrize("assumed", [*STRUCTURES, *TRIANGLES])
def test_transposed(assumed):
    """The transpose of what is read."""
    for shape in RIGHT_SIDES:
        check_rule(solve, regular(4, 4), right_side(shape), transposed=True, assume_a=assumed, lower=True)


@pytest.mark.parametrize(
    "A",
    [
        positive_definite(4, 4),
        np.diag([1.0, -2.0, 3.0, 4.0]),
        np.tril(regular(4, 4)),
        np.triu(regular(4, 4)),
        np.array([[1.0, 2, 3, 0], [2, -5, 1, 1], [3, 1, 7, 1], [0, 1, 1, 2]]),
        np.array([[0.0, 2, 3, 0], [2, 5, 1, 1], [3, 1, 7, 1], [0, 1, 1, 2]]),
        np.eye(1),
    ],
)
def test_structure_that_is_found(A):
    """A structure that SciPy finds by itself is lost by a perturbation: the cotangent is full."""
    check_rule(solve, A, normal(len(A), seed=1))


def test_options_by_position():
    """They are constants; what may be overwritten is not."""
    A, B = np.asfortranarray(regular(3, 3)), normal(3)
    copies = A.copy(), B.copy()
    test_rrule(solve, A, B, False, True, True, True, "gen", False)
    np.testing.assert_array_equal(A, copies[0])
    np.testing.assert_array_equal(B, copies[1])


@pytest.mark.parametrize("dtypes", [(float, complex), (complex, float), (np.float32, float), (int, float)])
def test_operands_of_two_kinds(dtypes):
    """The result is of the wider kind, and each cotangent of the kind of its operand."""
    A, B = (10 * regular(3, 3)).astype(dtypes[0]), normal(3, 2).astype(dtypes[1])
    for named in ({}, {"assume_a": "pos"}):
        X, pullback = rrule(solve, A, B, **named)
        assert X.dtype == solve(A, B, **named).dtype
        np.testing.assert_allclose(X, solve(A, B, **named))
        test_rrule(solve, A, B, fkwargs=named)
        test_frule(solve, A, B, fkwargs=named)
    assert len(pullback(X)) == 3


@stacks
@pytest.mark.parametrize("assumed", [None, "pos", "sym", "lower triangular"])
@pytest.mark.parametrize(
    ("left", "right"),
    [((2, 3, 3), (3,)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 1)), ((2, 1, 3, 3), (2, 3, 2))],
)
def test_stacks(left, right, assumed):
    """Stacks broadcast; a vector is a right side of every system."""
    check_rule(solve, regular(*left), normal(*right, seed=1), assume_a=assumed)


@pytest.mark.skipif(SCIPY < (1, 17), reason="by rows since SciPy 1.17, before by columns")
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("assumed", [None, "gen", "pos", "banded", "tridiagonal", "upper triangular"])
@pytest.mark.parametrize("right", [(3,), (3, 2), (2, 3, 2)])
@pytest.mark.parametrize("left", [(3, 3), (2, 3, 3)])
def test_order_in_memory(left, right, assumed, order):
    """Solutions are stored as SciPy's: functions that read elements in that order get the same."""
    A, B = (np.array(x, order=order) for x in (positive_definite(*left), normal(*right)))
    X = solve(A, B, assume_a=assumed)

    pushed = frule((NoTangent(), A, B), solve, A, B, assume_a=assumed)
    for y in (rrule(solve, A, B, assume_a=assumed)[0], pushed[0]):
        np.testing.assert_allclose(np.ravel(y, "K"), np.ravel(X, "K"))
    flat = vjp(lambda B: np.ravel(solve(A, B, assume_a=assumed), "K"), B)[0]
    np.testing.assert_allclose(flat, np.ravel(X, "K"))


@pytest.mark.parametrize(("left", "right"), [((0, 0), (0,)), ((0, 0), (0, 2)), ((3, 3), (3, 0))])
def test_without_elements(left, right):
    """No unknowns, or no right sides."""
    check_quickly(solve, regular(*left), normal(*right))


def test_constants():
    """A zero tangent stays one; one operand may be constant."""
    A, b = regular(3, 3), normal(3)
    zero = ZeroTangent()
    assert frule((NoTangent(), zero, zero), solve, A, b)[1] == zero
    np.testing.assert_allclose(A @ frule((NoTangent(), zero, b), solve, A, b)[1], b)
    np.testing.assert_allclose(A @ frule((NoTangent(), A, zero), solve, A, b)[1], -b)
    _, pullback = rrule(solve, A, b)
    assert pullback(zero)[1:] == (zero, zero)
    assert isinstance(pullback(b)[1], AbstractThunk)


def test_matrix_is_factored_once(monkeypatch):
    """A second derivative needs no second factorization."""
    from chainrules.numerics import factorizations  # noqa: PLC0415 - the module is patched here

    count = []

    class Counted(factorizations.LU):
        def __init__(self, A):
            count.append(1)
            super().__init__(A)

    monkeypatch.setattr("chainrules.formulas.equations.assumed_structures.LU", Counted)
    A, b = regular(3, 3), normal(3)
    hessian_times_ones = grad(lambda b: np.sum(grad(lambda b: np.sum(solve(A, b) ** 3))(b)))(b)
    assert len(count) == 1
    inverse = np.linalg.inv(A)
    expected = inverse.T @ (6 * (inverse @ b) * (inverse @ np.ones(3)))
    np.testing.assert_allclose(hessian_times_ones, expected)


def test_in_plain_code():
    """The gradient of a program that calls it, by position and by keyword."""
    A, b = regular(3, 3), normal(3)
    expected = unthunk(rrule(solve, A, b)[1](np.ones(3))[1])
    np.testing.assert_allclose(grad(lambda A: np.sum(solve(A, b)))(A), expected)
    np.testing.assert_allclose(grad(lambda A: np.sum(solve(b=b, a=A)))(A), expected)


@pytest.mark.parametrize("assumed", [None, "gen", "pos", "tridiagonal", "diagonal", "upper triangular"])
def test_singular_matrix(assumed):
    """An error as from SciPy."""
    with pytest.raises(np.linalg.LinAlgError):
        rrule(solve, np.zeros((5, 5)), np.ones(5), assume_a=assumed)


@pytest.mark.parametrize("assumed", [None, "gen", "pos"])
def test_ill_conditioned_matrix(assumed):
    """A warning as from SciPy, in either mode; a small pivot alone is none."""
    A, b = hilbert(12) + 5e-17 * np.eye(12), np.ones(12)
    with pytest.warns(LinAlgWarning, match="Ill-conditioned matrix"):
        rrule(solve, A, b, assume_a=assumed)
    rrule(solve, np.diag([1.0, 1e-7]), np.ones(2), assume_a=assumed)


def test_refusals():
    """What SciPy refuses is refused."""
    A, b = regular(3, 3), normal(3)
    with pytest.raises(ValueError, match="nonsense is not a recognized matrix structure"):
        rrule(solve, A, b, assume_a="nonsense")
    with pytest.raises(ValueError, match="expected a square matrix"):
        rrule(solve, A[:2], b)
    with pytest.raises(ValueError, match="do not fit each other"):
        rrule(solve, A, b[:2])
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule(solve, A, b * np.nan)
    with pytest.raises(NotImplementedError, match="transposed"):
        rrule(solve, A, 1j * b, transposed=True)
    assert np.all(np.isnan(rrule(solve, A, b * np.nan, check_finite=False)[0]))


def test_one_unknown_and_several_rows():
    """SciPy divides all rows by the number; the rule refuses, and does not solve for the first row alone."""
    A, b = np.array([[2.0]]), normal(3)
    np.testing.assert_allclose(solve(A, b), b / 2)
    with pytest.raises(ValueError, match="do not fit each other"):
        rrule(solve, A, b)


def test_stack_that_is_not_positive_definite():
    """An error as from SciPy, for a stack too."""
    stack = np.stack((np.eye(2), -np.eye(2)))
    with pytest.raises(np.linalg.LinAlgError):
        rrule(solve, stack, np.ones(2), assume_a="pos")
    with pytest.raises(np.linalg.LinAlgError):
        rrule(solve, stack[1], np.ones(2), assume_a="pos")


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(solve, regular(3, 3), normal(3))
    check_memory_and_checks(solve, regular(3, 3), normal(3), assume_a="sym")
