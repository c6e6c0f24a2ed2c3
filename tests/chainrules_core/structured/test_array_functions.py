"""Tests of `chainrules_core.structured.array_functions`."""

import numpy as np
import pytest
from hypothesis import given

from chainrules_core.structured import Bidiagonal, Diagonal, Symmetric, Tridiagonal, UniformScaling
from tests.chainrules_core.structured.matrices import BANDED, MAKERS, assert_same, matrices, matrix, pairs


@given(matrices())
def test_functions_of_one_matrix(A):
    """Each function gives the same as for the dense array."""
    dense = A.to_dense()

    for function in (
        *(np.trace, np.linalg.trace, np.transpose, np.matrix_transpose, np.copy, np.diag, np.diagonal),
        *(np.real, np.imag, np.sum, np.zeros_like, np.ones_like, np.linalg.diagonal),
        *(np.linalg.norm, np.any, np.all, np.count_nonzero),
        lambda x: np.swapaxes(x, 0, 1),
        lambda x: np.swapaxes(x, -1, 0),
        lambda x: np.swapaxes(x, 1, 1),
        lambda x: np.transpose(x, (1, 0)),
        lambda x: np.transpose(x, (0, 1)),
        lambda x: np.diag(x, 1),
        lambda x: np.diagonal(x, offset=-1),
        lambda x: np.trace(x, offset=1),
        lambda x: np.trace(x, -1),
        lambda x: np.linalg.trace(x, offset=1),
        lambda x: np.trace(x, dtype="complex128"),
        *(np.tril, np.triu, lambda x: np.tril(x, -1), lambda x: np.tril(x, 1), lambda x: np.triu(x, -2)),
        *(lambda x: np.triu(x, 1), lambda x: np.triu(x, k=2), lambda x: np.tril(x, -9)),
        lambda x: np.sum(x, axis=0),
        lambda x: np.sum(x, axis=1, keepdims=True),
        lambda x: np.sum(x, keepdims=True),
        lambda x: np.sum(x, axis=(0, 1)),
        lambda x: np.sum(x, dtype="complex128"),
        lambda x: np.zeros_like(x, dtype="float32"),
        lambda x: np.linalg.norm(x, axis=0),
        lambda x: np.any(x, axis=0),
    ):
        assert_same(np.asarray(function(A)), np.asarray(function(dense)), rtol=1e-3)


@given(matrices().filter(len))
def test_means(A):
    """The mean counts zeros, and equals the dense array's, of all elements and along an axis."""
    dense = A.to_dense()

    for options in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": (0, 1)}, {"keepdims": True}):
        assert_same(np.asarray(np.mean(A, **options)), np.asarray(np.mean(dense, **options)), rtol=1e-3)
    np.testing.assert_allclose(np.mean(A, dtype="complex128"), np.mean(dense, dtype="complex128"))


@pytest.mark.parametrize("kind", MAKERS)
def test_sizes(kind):
    """Nothing is computed for them."""
    A = matrix(kind)

    assert (np.shape(A), np.ndim(A), np.size(A), np.size(A, 0)) == ((4, 4), 2, 16, 4)


@given(pairs())
def test_functions_of_two_matrices(pair):
    """Each function gives the same as for the dense arrays."""
    A, B = pair
    a, b = A.to_dense(), B.to_dense()

    for x, y, p, q in ((A, B, a, b), (A, b, a, b), (a, B, a, b)):
        assert_same(np.asarray(np.vdot(x, y)), np.asarray(np.vdot(p, q)), rtol=1e-3)
        assert_same(np.dot(x, y), np.dot(p, q))
    assert np.array_equal(A, B) is np.array_equal(a, b)
    assert bool(np.allclose(A, B)) is bool(np.allclose(a, b))
    assert np.allclose(A, A.copy(), rtol=0.0)
    assert np.array_equal(A, a)


def test_equality_of_structured_and_plain_arrays():
    """With NaN equal to itself if that is asked for, whichever of both has structure."""
    A = Diagonal([1.0, np.nan])

    assert np.array_equal(A, A, equal_nan=True)
    assert not np.array_equal(A, A)
    assert np.array_equal(A, A.to_dense(), equal_nan=True)
    assert np.array_equal(np.eye(2), Diagonal([1.0, 1.0]))


def test_diagonals_along_named_axes():
    """Of the dense matrix, with all of NumPy's arguments."""
    A = Diagonal([1.0, 2.0])

    np.testing.assert_array_equal(np.diagonal(A, 0, 0, 1), [1.0, 2.0])
    np.testing.assert_array_equal(np.diagonal(A, 1), [0.0])
    np.testing.assert_array_equal(np.diagonal(A, offset=1, axis1=0, axis2=1), [0.0])


def test_products_with_numbers():
    """`np.dot` scales where one of the operands is a number."""
    assert type(np.dot(Diagonal([1.0, 2.0]), np.ones(2))) is np.ndarray
    np.testing.assert_array_equal(np.dot(Diagonal([1.0, 2.0]), 2.0), np.diag([2.0, 4.0]))
    assert np.dot(np.ones((3, 2, 2)), Diagonal([1.0, 2.0])).shape == (3, 2, 2)


def test_the_kind_of_a_transpose():
    """Transposes and zeros keep the kind."""
    A = Symmetric(np.eye(2))

    assert np.transpose(A) is A
    assert type(np.zeros_like(A)) is Symmetric
    assert type(np.linalg.inv(A)) is Symmetric


def test_a_determinant_has_its_names():
    """NumPy's result is a named tuple."""
    assert np.linalg.slogdet(Diagonal([-1.0, 1.0])).sign == -1.0


@pytest.mark.parametrize("function", [np.trace, np.linalg.det, np.sum, np.vdot, np.diagonal, np.zeros_like])
def test_what_has_no_size_has_no_such_functions(function):
    """Functions that need a size refuse a multiple of the identity, and say what to write."""
    args = (UniformScaling(2.0),) * (2 if function is np.vdot else 1)

    with pytest.raises(TypeError, match=r"UniformScaling\(2\.0\)\(n\)"):
        function(*args)


def test_inner_products_of_flat_arrays():
    """`np.vdot` takes arrays of other shapes, if they have as many elements."""
    A, b = Diagonal(np.arange(1.0, 4.0)), np.arange(9.0)

    assert np.vdot(A, A) == 14.0
    assert np.vdot(A, b) == np.vdot(b, A) == 32.0


V = np.arange(1.0, 5.0)
OF_THE_BANDS = {
    "trace": np.trace,
    "trace, offset": lambda A: np.trace(A, offset=1),
    "trace, -1": lambda A: np.trace(A, -1),
    "linalg.trace": np.linalg.trace,
    "linalg.trace, offset": lambda A: np.linalg.trace(A, offset=1),
    "transpose": np.transpose,
    "transpose, (1, 0)": lambda A: np.transpose(A, (1, 0)),
    "transpose, [-1, -2]": lambda A: np.transpose(A, [-1, -2]),
    "transpose, (-1, 0)": lambda A: np.transpose(A, (-1, 0)),
    "transpose, (1, -2)": lambda A: np.transpose(A, (1, -2)),
    **{
        f"swapaxes, {i}, {j}": lambda A, i=i, j=j: np.swapaxes(A, i, j)
        for i, j in ((0, 1), (1, 0), (-1, -2), (-2, -1), (0, -1), (-2, 1))
    },
    "matrix_transpose": np.matrix_transpose,
    "linalg.matrix_transpose": np.linalg.matrix_transpose,
    "copy": np.copy,
    "real": np.real,
    "imag": np.imag,
    "diag": np.diag,
    "diag, 1": lambda A: np.diag(A, 1),
    "diag, k": lambda A: np.diag(A, k=-1),
    "diagonal": np.diagonal,
    "diagonal, 2": lambda A: np.diagonal(A, 2),
    "diagonal, offset": lambda A: np.diagonal(A, offset=-1),
    "linalg.diagonal": np.linalg.diagonal,
    "sum": np.sum,
    **{
        f"{f.__name__}, {axis}, {keepdims}": lambda A, f=f, axis=axis, keepdims=keepdims: f(
            A, axis=axis, keepdims=keepdims
        )
        for f in (np.sum, np.mean)
        for axis in (None, 0, 1, -1, -2, (0, 1), (-1, -2))
        for keepdims in (False, True)
    },
    "dot": lambda A: np.dot(A, V),
    "dot on the left": lambda A: np.dot(V, A),
    "vdot": lambda A: np.vdot(A, A),
    "any": np.any,
    "norm": np.linalg.norm,
    "norm, fro": lambda A: np.linalg.norm(A, "fro"),
    "zeros_like": np.zeros_like,
    "zeros_like, dtype": lambda A: np.zeros_like(A, dtype="float32"),
    "array_equal": lambda A: np.array_equal(A, A),
    "allclose": lambda A: np.allclose(A, A, 0.0, equal_nan=True),
    "tril": np.tril,
    "tril, 0": lambda A: np.tril(A, 0),
    "triu, k": lambda A: np.triu(A, k=1),
    "det": np.linalg.det,
    "slogdet": lambda A: np.linalg.slogdet(A).logabsdet,
    "solve": lambda A: np.linalg.solve(A, V),
    "shape": lambda A: np.array(np.shape(A)),
    "ndim": lambda A: np.array(np.ndim(A)),
    "size": lambda A: np.array([np.size(A), np.size(A, 0), np.size(A, 1)]),
}


@pytest.mark.parametrize("function", OF_THE_BANDS.values(), ids=OF_THE_BANDS)
@pytest.mark.parametrize("kind", BANDED)
def test_what_needs_no_dense_array_makes_none(monkeypatch, kind, function):
    """Memory and work are linear in the number of rows, with each of the usual arguments."""
    A = matrix(kind, dtype="complex128")
    expected = function(A.to_dense())

    def refuse(self):
        raise AssertionError("a dense array")

    with monkeypatch.context() as patched:
        patched.setattr(type(A), "to_dense", refuse)
        result = function(A)
    np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", MAKERS)
def test_other_arguments_are_those_of_dense_arrays(kind):
    """What has no shorter way gives what it gives for the dense matrix."""
    A = matrix(kind)
    mask = np.eye(4, dtype=bool)

    for function in (
        lambda x: np.linalg.diagonal(x, offset=1),
        lambda x: np.copy(x, order="F"),
        lambda x: np.copy(x, "F"),
        lambda x: np.transpose(x, (0, 1)),
        lambda x: np.swapaxes(x, 1, -1),
        lambda x: np.swapaxes(x, 0, 0),
        lambda x: np.diagonal(x, 1, 1, 0),
        lambda x: np.diagonal(x, axis1=1, axis2=0),
        lambda x: np.trace(x, 1, 1, 0),
        lambda x: np.trace(x, axis1=1, axis2=0),
        lambda x: np.linalg.trace(x, dtype="complex128"),
        lambda x: np.sum(x, axis=()),
        lambda x: np.sum(x, axis=(0,)),
        lambda x: np.sum(x, where=mask),
        lambda x: np.sum(x, initial=2.0),
        lambda x: np.sum(x, 0, None, np.zeros(4)),
        lambda x: np.mean(x, where=mask),
        lambda x: np.mean(x, axis=(1,)),
        lambda x: np.linalg.norm(x, 1),
        lambda x: np.linalg.norm(x, 2),
        lambda x: np.linalg.norm(x, np.inf),
        lambda x: np.linalg.norm(x, axis=(0, 1)),
        lambda x: np.linalg.norm(x, keepdims=True),
        lambda x: np.any(x, keepdims=True),
        lambda x: np.any(x, 1),
        lambda x: np.zeros_like(x, shape=(2, 3)),
        lambda x: np.dot(x, np.ones((4, 2)), np.zeros((4, 2))),
        lambda x: np.dot(np.ones((2, 3, 4)), x),
        lambda x: np.dot(x, np.arange(24.0).reshape(2, 4, 3)),
        lambda x: np.dot(x, 2.0),
        lambda x: np.vdot(x, np.ones(16)),
        lambda x: np.allclose(x, x.T),
        lambda x: np.allclose(x, np.ones((4, 4))),
        lambda x: np.array_equal(x, np.ones((4, 4))),
    ):
        assert_same(np.asarray(function(A)), np.asarray(function(A.to_dense())), rtol=1e-12)
    out = np.zeros((4, 2))
    assert np.dot(A, np.ones((4, 2)), out) is out
    for axes in ((0, 2), (-3, 1)):
        with pytest.raises(ValueError, match="out of bounds"):
            np.swapaxes(A, *axes)
    with pytest.raises(ValueError, match="axes"):
        np.transpose(A, (0, 1, 2))


def test_an_inner_product_goes_along_the_bands_of_either():
    """Whichever of both is banded; the first is conjugated."""
    T, x = matrix("Tridiagonal", dtype="complex128"), np.arange(16.0).reshape(4, 4) * 1j
    U = matrix("UpperTriangular")

    for a, b in ((T, x), (x, T), (T, U), (U, T), (U, x)):
        assert np.vdot(a, b) == pytest.approx(np.vdot(np.asarray(a), np.asarray(b)), rel=1e-12)


def test_closeness_of_two_bands():
    """All diagonals count that either has, and all tolerances; other shapes are NumPy's."""
    A = Tridiagonal(np.ones(1), np.ones(2), np.full(1, 2.0))
    D = Diagonal(np.ones(2))

    assert not np.allclose(A, D)
    assert not np.allclose(D, A)
    for uplo in "UL":
        B = Bidiagonal(np.ones(2), np.ones(1), uplo)
        assert not np.allclose(B, D)
        assert not np.allclose(D, B)
    assert np.allclose(A, Tridiagonal(np.ones(1), np.ones(2), np.full(1, 2.5)), atol=1.0)
    assert not np.allclose(A, Tridiagonal(np.ones(1), np.ones(2), np.full(1, 2.5)))
    assert not np.allclose(A, Tridiagonal(np.zeros(1), np.ones(2), np.full(1, 2.0)))
    with pytest.raises(ValueError, match="broadcast"):
        np.allclose(A, Diagonal(np.ones(3)))


def test_multiples_of_the_identity():
    """They have methods for what needs no size."""
    J = UniformScaling(2.0)

    assert np.linalg.inv(J) == UniformScaling(0.5)
    assert np.copy(J) is np.transpose(J) is np.swapaxes(J, 0, 1) is J
    assert np.real(J) == J
