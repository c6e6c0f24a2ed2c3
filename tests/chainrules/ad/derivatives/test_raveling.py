"""`ravel`: there and back, and under differentiation."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from chainrules.ad import checkpoint, grad, hessian, hvp, jvp, ravel, value_and_grad, vjp
from chainrules_core import DimensionMismatchError, ZeroTangent
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UniformScaling,
    UnitLowerTriangular,
    UpperTriangular,
)
from tests.chainrules.ad.nested_parameters import Layer, loss, parameters


class Offset(NamedTuple):
    """A named tuple."""

    x: float
    n: int


DENSE = normal = np.random.default_rng(0).normal(size=(3, 3))
LEAVES = {
    "float": 2.5,
    "complex": 1 - 2j,
    "float32": np.float32(1.5),
    "complex64": np.complex64(1 - 0j),
    "float16": np.ones((2, 1, 3), np.float16),
    "0-d": np.array(2.0),
    "empty": np.zeros((0, 3)),
    "infinite": np.array([complex(1.0, np.inf), complex(-0.0, np.nan)]),
    "transposed": DENSE.T,
    "diagonal": Diagonal(np.ones(2, np.complex64)),
    "triangular": UpperTriangular(DENSE),
    "unit triangular": UnitLowerTriangular(DENSE),
    "bidiagonal": Bidiagonal(np.ones(3), np.ones(2), "L"),
    "tridiagonal": Tridiagonal(np.ones(2), np.ones(3), np.ones(2)),
    "uniform": UniformScaling(2.0),
    "csr": sparse.csr_array(DENSE * (DENSE > 0)),
    "csc": sparse.csc_array(np.eye(3, dtype=np.float32)),
    "in containers": {"a": [Layer(1.0)], "b": Offset(2.0, 3)},
}


def dense(x):
    """A value that can be compared."""
    if hasattr(x, "toarray"):
        return x.toarray()
    return x.factor if isinstance(x, UniformScaling) else np.asarray(x)


@pytest.mark.parametrize("name", LEAVES)
def test_there_and_back(name):
    """The tree of the vector is the tree: values, classes, dtypes; in memory of its own."""
    x = LEAVES[name]
    vector, unravel = ravel(x)
    back = unravel(vector)

    assert vector.ndim == 1
    assert vector.dtype.kind == "f"
    assert type(back) is type(x)
    if name == "in containers":
        assert back == x
        return
    assert getattr(back, "dtype", None) == getattr(x, "dtype", None)
    np.testing.assert_array_equal(dense(back), dense(x))
    vector[:] = 0.0
    np.testing.assert_array_equal(dense(back), dense(x))


@pytest.mark.parametrize(
    ("tree", "dtype"),
    [
        ([np.float32(1.0), np.ones(2, np.complex64)], np.float32),
        ([np.float32(1.0), 1.0], np.float64),
        ([np.ones(2, np.float16), np.float32(1.0)], np.float32),
        ([1j], np.float64),
        ([], np.float64),
    ],
)
def test_precision(tree, dtype):
    """The vector is real, in the highest precision; the leaves have theirs, whatever the vector has."""
    vector, unravel = ravel(tree)
    assert vector.dtype == dtype
    for x, y in zip(tree, unravel(vector.astype(np.float64)), strict=True):
        assert type(x) is type(y)
        assert getattr(x, "dtype", None) == getattr(y, "dtype", None)


def test_gradient_by_the_vector():
    """It is the vector of the gradient, and the directions of both modes agree."""
    p = parameters()
    vector, unravel = ravel(p)
    gradient = grad(lambda v: loss(unravel(v)))(vector)
    v = np.linspace(-1.0, 1.0, len(vector))

    np.testing.assert_allclose(gradient, ravel(grad(loss)(p))[0], rtol=1e-6)
    assert jvp(lambda v: loss(unravel(v)), (vector,), (v,))[1] == pytest.approx(gradient @ v, rel=1e-6)
    f = lambda v: np.sum(unravel(v)["a"] ** 3) + unravel(v)["z"].imag ** 2  # noqa: E731 - twice below
    vector, unravel = ravel({"a": np.ones(2), "z": 1j})
    np.testing.assert_allclose(hessian(f)(vector) @ v[:4], hvp(f, vector, v[:4]))


def test_ravel_of_traced_trees():
    """The vector depends on the tree; what goes there and back is as it was."""
    p = parameters()
    gradient = grad(lambda p: np.sum(ravel(p)[0] ** 2))(p)
    np.testing.assert_allclose(ravel(gradient)[0], 2 * ravel(p)[0], rtol=1e-6)

    there_and_back = grad(lambda p: loss(ravel(p)[1](ravel(p)[0])))(p)
    np.testing.assert_allclose(ravel(there_and_back)[0], ravel(grad(loss)(p))[0], rtol=1e-6)


def test_closures_over_the_way_back():
    """A function that is taken apart, as by a rule, holds no number by which it could be differentiated."""
    vector, unravel = ravel({"a": [np.ones(2), 2.0]})

    def f(v):
        return np.sum(unravel(v)["a"][0] ** 2) * unravel(v)["a"][1]

    expected = grad(f)(vector)
    np.testing.assert_array_equal(grad(checkpoint(f))(vector), expected)
    np.testing.assert_array_equal(vjp(lambda f, v: f(v), f, vector)[1](1.0)[1], expected)
    np.testing.assert_array_equal(vjp(f, vector)[1](1.0)[0], expected)


def test_writing_into_leaves():
    """The leaves are the program's own, traced or not: the vector and the other leaves do not change."""
    vector, unravel = ravel([np.ones((2, 1)), np.ones(2)])

    def f(v):
        a, b = unravel(v)
        a[0] = 7.0
        a *= 2.0
        return np.sum(a) * np.sum(b) + 3.0 * v[0]

    assert f(vector) == 2 * (7.0 + 1.0) * 2.0 + 3.0
    np.testing.assert_array_equal(grad(f)(vector), [3.0, 4.0, 16.0, 16.0])
    np.testing.assert_array_equal(vector, np.ones(4))


def test_minimize():
    """An optimiser that takes vectors fits parameters in containers."""
    x = np.linspace(0.0, 1.0, 20)

    def squared_error(p):
        return np.sum((p["line"].x * x + p["offset"][0] - (3.0 * x - 1.0)) ** 2)

    start, unravel = ravel({"line": Offset(0.0, 2), "offset": [0.0]})
    found = minimize(value_and_grad(lambda v: squared_error(unravel(v))), start, jac=True)
    fitted = unravel(found.x)
    assert fitted["line"].x == pytest.approx(3.0, abs=1e-4)
    assert fitted["line"].n == 2


def test_changed_trees():
    """What becomes of the tree later is nothing to `unravel`."""
    tree = {"a": [1.0]}
    vector, unravel = ravel(tree)
    tree["a"].append(2.0)
    assert unravel(2 * vector) == unravel([2.0]) == {"a": [2.0]}


class ElsewhereArray:
    """An array of another library, as its protocol tells."""

    shape, dtype = (1,), np.dtype(float)

    def __array_function__(self, func, types, args, kwargs):
        raise NotImplementedError


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"n": 3}, "holds integers, and no real"),
        ([ZeroTangent()], "whose size is not known"),
        ([{1.0}], "held by a set"),
        (Symmetric(DENSE), "stands at two places"),
        (Hermitian(1j * DENSE), "stands at two places"),
        (SymTridiagonal(np.ones(3), np.ones(2)), "stands at two places"),
        (sparse.coo_array(np.eye(2)), r"CSR and CSC.* `A = A\.tocsr"),
        (sparse.csr_array((np.ones(2), [1, 0], [0, 2]), shape=(1, 2)), "stored once and in order"),
        (np.ma.array([1.0]), "Masked arrays"),
        (ElsewhereArray(), "NumPy's arrays, sparse and structured ones, not a ElsewhereArray"),
    ],
)
def test_refused_trees(tree, message):
    """Where a vector would say something else, or nothing, there is an error."""
    with pytest.raises(TypeError, match=message):
        ravel(tree)


def test_refused_vectors():
    """A vector is real, and as long as the tree."""
    vector, unravel = ravel([1.0, 1j])
    with pytest.raises(
        DimensionMismatchError, match=r"a vector of 3 numbers, of shape \(3,\), .* shape \(2,\)"
    ):
        unravel(vector[1:])
    with pytest.raises(TypeError, match=r"real numbers, and this is one of complex128"):
        unravel(vector + 1j)
