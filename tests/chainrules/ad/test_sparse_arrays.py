"""Programs with SciPy's sparse arrays: traced, as constants beside traced values, and as gradients."""

import numpy as np
import pytest

from chainrules.ad import TracedValue, grad, hessian, hvp, interception, value_and_grad
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import FORMATS, diagonals, kinds, same_pattern, sparse

every_format = pytest.mark.parametrize("format", [*FORMATS, "dok"])


@every_format
@kinds
def test_sparse_constant(format, kind):
    """SciPy's operators give way to those of a traced value, on either side."""
    A = sparse(format, kind)
    dense = A.toarray()

    np.testing.assert_allclose(grad(lambda x: np.sum(A @ x))(normal(5)), dense.sum(0))
    np.testing.assert_allclose(grad(lambda x: np.sum(x @ A))(normal(4)), dense.sum(1))
    np.testing.assert_allclose(grad(lambda s: np.sum(A * s + s * A))(2.0), 2 * dense.sum())


@pytest.mark.parametrize("format", FORMATS)
def test_sparse_constant_beside_arrays(format):
    """Sums of a sparse constant with dense arrays, and products of elements, give way too."""
    A, x = sparse(format), normal(4, 5)

    np.testing.assert_array_equal(grad(lambda x: np.sum(A + x - (x - A)))(x), np.zeros((4, 5)))
    np.testing.assert_allclose(grad(lambda x: np.sum(A * x + x * A))(x), 2 * A.toarray())


@every_format
@kinds
def test_gradient_is_like_the_argument(format, kind):
    """The gradient by a sparse array has its class, dtype, shape and pattern."""
    A, x = sparse(format, kind, np.float32), normal(5, dtype=np.float32)
    gradient = grad(lambda A: np.sum((A @ x) ** 2))(A)

    assert same_pattern(gradient, A)
    expected = 2 * np.outer(A.toarray() @ x, x) * (A.toarray() != 0)
    np.testing.assert_allclose(gradient.toarray(), expected, rtol=1e-5)


def test_gradient_by_diagonals():
    """A sparse array that stores diagonals has such a gradient."""
    A = diagonals()
    assert same_pattern(grad(lambda A: np.sum(A @ np.ones(4)))(A), A)


def test_gradient_of_a_constant():
    """A sparse argument that the result does not depend on has zeros where it stores entries."""
    A = sparse()
    gradient = grad(lambda A: 1.0)(A)

    assert same_pattern(gradient, A)
    assert not gradient.data.any()


def test_gradients_belong_to_the_caller():
    """Working on a gradient in place changes neither the argument nor another gradient."""
    A, B = sparse(), sparse(seed=1)
    before = A.copy()
    A_bar, B_bar = grad(lambda A, B: np.sum(A + B), (0, 1))(A, B)
    A_bar.data[:3] = 0
    A_bar.eliminate_zeros()

    assert (before != A).nnz == 0
    np.testing.assert_array_equal(B_bar.toarray(), (A.toarray() != 0) * 1.0)


def test_dense_operand_on_the_left():
    """NumPy asks a traced sparse array by its protocol, which takes the ufunc for the operator."""
    A, X = sparse(), normal(3, 4)
    gradient = grad(lambda A: np.sum(X @ A))(A)

    np.testing.assert_allclose(gradient.toarray(), X.sum(0)[:, np.newaxis] * (A.toarray() != 0))
    gradient = grad(lambda A: np.sum((normal(4, 5) * A) @ np.ones(5)))(A)
    np.testing.assert_allclose(gradient.toarray(), normal(4, 5) * (A.toarray() != 0))


def test_attributes():
    """A traced sparse array has the shape, the dtype, the methods and the transpose of the array."""
    A = sparse()

    def program(A):
        assert isinstance(A, TracedValue)
        assert (A.shape, A.ndim, A.dtype) == ((4, 5), 2, np.float64)
        assert A.T.shape == (5, 4)
        return (A.T @ np.ones(4)).sum() + A.sum() + A.conj().transpose().sum()

    value, gradient = value_and_grad(program)(A)
    np.testing.assert_allclose(value, 3 * A.sum())
    np.testing.assert_array_equal(gradient.toarray(), 3.0 * (A.toarray() != 0))


def test_sparse_arrays_in_containers():
    """Sparse arrays are traced inside of lists, dicts and tuples."""
    A = sparse()
    gradient = grad(lambda p: np.sum(p["A"][0] @ p["x"]))({"A": [A], "x": normal(5)})

    assert same_pattern(gradient["A"][0], A)
    np.testing.assert_allclose(gradient["x"], A.toarray().sum(0))


def test_sparse_results_and_integers_are_refused():
    """A gradient needs a number as its result, and real numbers to move."""
    with pytest.raises(TypeError, match="not a csr_array"):
        grad(lambda A: A * 2.0)(sparse())
    with pytest.raises(TypeError, match="an array of int64"):
        grad(lambda A: A.sum())(sparse().astype(np.int64))


def test_conversion_elsewhere_is_refused():
    """Only the operators of a sparse array are given what they take for no array."""
    with interception(False), pytest.raises(TypeError, match="would lose its derivative"):
        grad(lambda x: np.sum(sparse() @ np.asarray(x)))(normal(5))


@every_format
@pytest.mark.parametrize(
    "f",
    [
        lambda A, x: np.sum((A * x[0]) @ x),
        lambda A, x: ((A * x[0]) * x[1]).sum(),
        lambda A, x: ((A / x[0]) * x[1]).sum(),
        lambda A, x: np.sum((x[0] * (A * x[1])) @ (A.T @ (A @ x))),
    ],
)
def test_second_derivatives_of_products_with_numbers(format, f):
    """Forwards over backwards they are those of the dense array, also where a tangent is zero."""
    A, x, v = sparse(format), normal(5), normal(5, seed=1)
    expected = hessian(lambda x: f(A.toarray(), x))(x)

    np.testing.assert_allclose(hvp(lambda x: f(A, x), x, v), expected @ v, rtol=1e-10, atol=1e-12)


@every_format
def test_method_multiply(format):
    """The method of a sparse array is entered; where it is not, an error says what to write."""
    A, x = sparse(format), normal(5)

    for operand in (lambda x: x, lambda x: x[0]):
        with interception(False), pytest.raises(TypeError, match=r"Write `A \* x`"):
            grad(lambda x, operand=operand: A.multiply(operand(x)).sum())(x)
    expected = A.toarray().sum(0)
    np.testing.assert_allclose(grad(lambda x: (A * x).sum())(x), expected)
    np.testing.assert_allclose(grad(lambda x: A.multiply(x).sum())(x), expected)
    np.testing.assert_allclose(grad(lambda x: A.multiply(x[0]).sum())(x)[0], expected.sum())
