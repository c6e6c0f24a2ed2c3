"""The rules of `numpy.linalg.det`, against finite differences."""

import itertools
import math

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, of_rank, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_det(dtype):
    """Both modes are right for real and complex matrices."""
    check_rule(np.linalg.det, regular(3, 3, dtype=dtype) / 4)


@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 1, 2, 2), (0, 2, 2), (1, 1)])
def test_det_of_stacks(shape):
    """Stacks, empty ones too."""
    check_rule(np.linalg.det, normal(*shape))


def test_det_without_elements():
    """The determinant of a matrix without elements is a constant, 1."""
    check_rule(np.linalg.det, normal(0, 0))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_det_of_singular_matrices(rank, dtype):
    """The determinant is a polynomial: it has both derivatives where there is no inverse."""
    check_rule(np.linalg.det, of_rank(rank, 4, dtype))


def test_det_of_a_stack_with_a_singular_matrix():
    """One singular matrix does not spoil the derivatives of the others."""
    check_rule(np.linalg.det, np.stack([of_rank(2, 3), of_rank(3, 3)]))


def test_det_near_singular_matrices():
    """The adjugate is found to full precision where the inverse has none."""
    A = np.array([[1.0, 2.0], [3.0, 6.0 + 1e-14]])

    _, pullback = rrule(np.linalg.det, A)

    np.testing.assert_allclose(pullback(1.0)[1], [[6.0, -3.0], [-2.0, 1.0]], rtol=1e-13)


def by_permutations(A):
    """The determinant by its definition, which is a polynomial of the elements."""
    n = len(A)
    signs = {p: np.linalg.det(np.eye(n)[list(p)]) for p in itertools.permutations(range(n))}
    return sum(sign * math.prod(A[i, j] for i, j in enumerate(p)) for p, sign in signs.items())


def forwards(f, A_dot):
    """The derivative in a direction, as a function."""
    return lambda A: jvp(f, (A,), (A_dot,))[1]


def in_reverse(f, A_dot):
    """Likewise."""
    return lambda A: np.sum(grad(f)(A) * A_dot)


NEARLY_SINGULAR = [np.outer([0.1, 0.2, 0.3], [0.3, 0.7, 1.1]), np.diag([1.0, 2.0, 1e-9])]


@pytest.mark.parametrize("A", [*map(np.diag, np.eye(3)), np.zeros((3, 3)), of_rank(2, 3), *NEARLY_SINGULAR])
@pytest.mark.parametrize("modes", [(forwards,) * 3, (in_reverse,) * 3, (forwards, in_reverse, forwards)])
def test_higher_derivatives_of_singular_matrices(A, modes):
    """They are those of the polynomial, also where rounding makes singular ones regular."""
    f, expected = np.linalg.det, by_permutations

    for seed, derivative in enumerate(modes):
        A_dot = normal(3, 3, seed=seed)
        f, expected = derivative(f, A_dot), forwards(expected, A_dot)
        assert f(A) == pytest.approx(expected(A), abs=1e-13, rel=1e-12)


def test_det_of_a_constant():
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), np.linalg.det, regular(2, 2))[1] == ZeroTangent()
