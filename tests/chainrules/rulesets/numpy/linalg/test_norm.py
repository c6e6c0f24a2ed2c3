"""The rules of `numpy.linalg.norm`, `vector_norm` and `matrix_norm`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule, check_zeros_are_strong, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES

VECTOR_ORDERS = [1, 2, 3, 0.5, 1.7, -1, -2, 0, np.inf, -np.inf]
MATRIX_ORDERS = ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", VECTOR_ORDERS)
def test_norm_of_vectors(order, dtype):
    """Every order, of one vector and of the vectors along an axis."""
    check_rule(np.linalg.norm, normal(4, dtype=dtype), order)
    check_rule(np.linalg.norm, normal(2, 3, dtype=dtype), ord=order, axis=0, keepdims=True)


@pytest.mark.parametrize("order", [2.0, 1.0, 3.0, -2.0])
def test_orders_that_are_floats(order):
    """The norm has a derivative by the order too, where an integer stands for a constant."""
    check_rule(np.linalg.norm, normal(2, 3), order, 1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", MATRIX_ORDERS)
def test_norm_of_matrices(order, dtype):
    """Every order, of one matrix and of the matrices in any two axes."""
    check_rule(np.linalg.norm, normal(3, 2, dtype=dtype), order)
    check_rule(np.linalg.norm, normal(2, 2, 3, dtype=dtype), order, (-1, 0), True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (3, 2), (2, 3, 2), (0,), (0, 2)])
def test_norm_without_order(shape, dtype):
    """All elements count, whatever the shape."""
    check_rule(np.linalg.norm, normal(*shape, dtype=dtype))
    check_rule(np.linalg.norm, normal(*shape, dtype=dtype), keepdims=True)


@pytest.mark.parametrize("axis", [0, -1, (1,), (0, 2), [2, 1]])
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes(axis, keepdims):
    """One axis of vectors, or two of matrices."""
    axis = axis if isinstance(axis, int) else tuple(axis)

    check_rule(np.linalg.norm, normal(2, 3, 2), None, axis, keepdims)


@pytest.mark.parametrize("order", VECTOR_ORDERS)
@pytest.mark.parametrize("named", [{}, {"axis": (0, 2)}, {"axis": -1, "keepdims": True}])
def test_vector_norm(named, order):
    """Any number of axes together are a vector."""
    check_rule(np.linalg.vector_norm, normal(2, 2, 2), ord=order, **named)


def test_vector_norm_by_default():
    """The 2-norm of all elements."""
    check_rule(np.linalg.vector_norm, normal(2, 3, dtype=complex))


@pytest.mark.parametrize("order", MATRIX_ORDERS)
def test_matrix_norm(order):
    """The last two axes are those of the matrices."""
    check_rule(np.linalg.matrix_norm, normal(2, 3, 2), ord=order)


@pytest.mark.parametrize("keepdims", [False, True])
def test_matrix_norm_by_default(keepdims):
    """The Frobenius norm."""
    check_rule(np.linalg.matrix_norm, normal(2, 2, 3), keepdims=keepdims)


@pytest.mark.filterwarnings("ignore:divide by zero")  # NumPy's own, for negative orders
@pytest.mark.parametrize("order", [None, *VECTOR_ORDERS])
def test_vector_norms_at_zero(order):
    """Norms have a kink at zero; the subgradient zero is taken, or for the extremes one of their own."""
    gradient = grad(lambda x: np.linalg.norm(x, order))(np.zeros(3))

    np.testing.assert_array_equal(gradient, np.zeros(3))


@pytest.mark.parametrize("order", [None, *MATRIX_ORDERS])
def test_matrix_norms_at_zero(order):
    """The subgradient of a matrix norm at zero is zero, too."""
    gradient = grad(lambda x: np.linalg.norm(x, order, axis=(0, 1)))(np.zeros((2, 3)))

    np.testing.assert_array_equal(gradient, np.zeros((2, 3)))


@pytest.mark.filterwarnings("ignore:divide by zero")  # NumPy's own, for negative orders
@pytest.mark.parametrize("order", [1, 2, 0.5, 3, -1, -2])
def test_elements_that_are_zero(order):
    """They contribute nothing, and spoil nothing."""
    gradient = grad(lambda x: np.linalg.norm(x, order))(np.array([0.0, 3.0, -4.0]))

    assert gradient[0] == 0
    assert np.isfinite(gradient).all()


def test_zero_among_other_vectors():
    """One vector of zeros does not spoil the others."""
    gradient = grad(lambda x: np.sum(np.linalg.norm(x, axis=1)))(np.array([[0.0, 0.0], [3.0, 4.0]]))

    np.testing.assert_allclose(gradient, [[0.0, 0.0], [0.6, 0.8]])


def test_equal_extremes():
    """Equal moduli, columns, rows and singular values share the cotangent."""
    vector = grad(lambda x: np.linalg.norm(x, np.inf))(np.array([2.0, -2.0, 1.0]))
    np.testing.assert_array_equal(vector, [0.5, -0.5, 0.0])
    columns = grad(lambda x: np.linalg.norm(x, 1))(np.array([[1.0, -3.0], [2.0, 0.0]]))
    np.testing.assert_array_equal(columns, [[0.5, -0.5], [0.5, 0.0]])
    np.testing.assert_allclose(grad(lambda x: np.linalg.norm(x, 2))(np.eye(2)), np.eye(2) / 2)


def test_nuclear_norm_of_a_singular_matrix():
    """Singular values that are rounding errors of zero contribute nothing."""
    x, y = normal(3), normal(3, seed=1)

    gradient = grad(lambda A: np.linalg.norm(A, "nuc"))(np.outer(x, y))

    expected = np.outer(x, y) / np.linalg.norm(x) / np.linalg.norm(y)
    np.testing.assert_allclose(gradient, expected, atol=1e-14)


def test_norm_of_a_constant():
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), np.linalg.norm, normal(3))[1] == ZeroTangent()


def test_a_tangent_of_the_order_alone():
    """Where the vector does not move the derivative is that by the order."""
    x, order, step = np.array([1.0, 2.0]), 3.0, 1e-6
    _, y_dot = frule((NoTangent(), ZeroTangent(), 1.0), np.linalg.norm, x, order)
    difference = np.linalg.norm(x, order + step) - np.linalg.norm(x, order - step)

    # A central difference is right to the square of its step, and rounded to 1e-16 divided by the step.
    assert y_dot == pytest.approx(difference / (2 * step), rel=1e-8)


@pytest.mark.parametrize("undefined", [np.nan, np.inf])
@pytest.mark.parametrize("order", [None, 1, -1, np.inf])
def test_undefined_norms_that_nothing_depends_on(order, undefined):
    """Their zero cotangents are strong, those of matrices too."""
    x = normal(3, 4)
    x[1] = undefined
    check_zeros_are_strong(np.linalg.norm, x, order, 1)
    check_zeros_are_strong(np.linalg.norm, x, order)
    if order is not None:
        check_zeros_are_strong(np.linalg.vector_norm, x, ord=3.0 * order, axis=1)
