"""The rules of `numpy.linalg.multi_dot`, against finite differences."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import AbstractThunk, NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_core.structured import Symmetric
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal

SHAPES = [
    [(2, 3), (3, 4)],
    [(2, 3), (3, 4), (4, 2)],
    [(2, 3), (3, 4), (4, 2), (2, 5)],
    [(3,), (3, 4), (4, 2)],
    [(2, 3), (3, 4), (4,)],
    [(3,), (3, 4), (4,)],
    [(3,), (3,)],
    [(2, 0), (0, 3)],
    [(0, 2), (2, 3), (3, 1)],
]


def factors(shapes, dtype=np.float64):
    """Matrices and vectors of these shapes."""
    return [normal(*shape, dtype=dtype, seed=seed) for seed, shape in enumerate(shapes)]


@pytest.mark.parametrize("shapes", SHAPES)
def test_multi_dot(shapes):
    """Two and more matrices; the first and the last may be vectors."""
    test_frule(np.linalg.multi_dot, factors(shapes))
    test_rrule(np.linalg.multi_dot, factors(shapes))


@pytest.mark.parametrize("dtype", [np.float32, complex])
def test_multi_dot_of_a_tuple(dtype):
    """In single precision, and of complex matrices."""
    arrays = tuple(factors([(2, 2), (2, 3), (3,)], dtype))

    test_frule(np.linalg.multi_dot, arrays)
    test_rrule(np.linalg.multi_dot, arrays)


def test_second_derivative():
    """That of a square by a factor that occurs twice."""
    A, V, v = normal(3, 3), normal(3, 3, seed=1), normal(3, seed=2)

    def f(A):
        return np.linalg.multi_dot([v, A, A, v])

    def along(A):
        return np.sum(grad(f)(A) * V)

    h = 1e-5
    expected = (grad(f)(A + h * V) - grad(f)(A - h * V)) / (2 * h)
    np.testing.assert_allclose(grad(along)(A), expected, atol=1e-8)


def test_cotangents_are_computed_on_demand():
    """Each costs a product, and some factors are constants."""
    _, pullback = rrule(np.linalg.multi_dot, [normal(2, 2), normal(2, 2)])

    assert all(isinstance(x_bar, AbstractThunk) for x_bar in pullback(normal(2, 2))[1])


class Factors(NamedTuple):
    """Two matrices."""

    A: Any
    B: Any


def test_factors_in_a_named_tuple():
    """They have cotangents by their names."""
    factors = Factors(normal(2, 2), normal(2, 2, seed=1))

    bars = rrule(np.linalg.multi_dot, factors)[1](np.eye(2))[1]
    np.testing.assert_allclose(unthunk(bars.A), factors.B.T)
    np.testing.assert_allclose(unthunk(bars.B), factors.A.T)


def test_constant_factors():
    """A zero tangent of one factor, and of all."""
    A, B, zero = normal(2, 2), normal(2, 2, seed=1), ZeroTangent()

    _, by_A = frule((NoTangent(), Tangent[list](A, zero)), np.linalg.multi_dot, [A, B])
    np.testing.assert_allclose(by_A, A @ B)
    assert frule((NoTangent(), zero), np.linalg.multi_dot, [A, B])[1] == zero
    assert frule((NoTangent(), Tangent[list](zero, zero)), np.linalg.multi_dot, [A, B])[1] == zero


def test_writing_into_an_array_is_refused():
    """It would leave no trace."""
    arrays = [normal(2, 2), normal(2, 2)]

    with pytest.raises(TypeError, match=r"multi_dot\(..., out=...\) cannot be differentiated"):
        rrule(np.linalg.multi_dot, arrays, out=np.empty((2, 2)))
    with pytest.raises(TypeError, match=r"multi_dot\(..., out=...\) cannot be differentiated"):
        frule((NoTangent(), ZeroTangent()), np.linalg.multi_dot, arrays, out=np.empty((2, 2)))


def test_symmetric_factors():
    """Their cotangents are symmetric: the matrices cannot move otherwise."""
    A = Symmetric(normal(2, 2))

    A_bar, _ = rrule(np.linalg.multi_dot, [A, normal(2, 3, seed=1)])[1](normal(2, 3))[1]
    assert isinstance(unthunk(A_bar), Symmetric)
