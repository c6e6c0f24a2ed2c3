"""Random tangents of every type."""

import functools
import math
import types
from collections import OrderedDict

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk
from chainrules_core.structured import UniformScaling
from chainrules_testutils import rand_tangent
from chainrules_testutils.values.rand_tangent import generator
from chainrules_testutils.values.tangent_to_vec import tangent_to_vec
from chainrules_testutils.values.to_vec import to_vec
from tests.case_names import shown
from tests.chainrules_testutils.rules_under_test import Foo, Multiplier, Pair, scaled_by


@pytest.mark.parametrize(
    "x",
    [
        1.5,
        1j,
        np.float32(1),
        np.float64(1),
        np.complex64(1),
        np.longdouble(1),
        np.ones(3),
        np.ones((2, 0)),
        np.array(1.0),
        np.ones(2, dtype=np.float32),
        np.ones((2, 2), dtype=np.complex64),
    ],
    ids=repr,
)
def test_numbers_and_arrays(x):
    """The tangent of a number or array has its class, dtype and shape."""
    x_dot = rand_tangent(x)

    assert type(x_dot) is type(x)
    assert getattr(x_dot, "dtype", None) == getattr(x, "dtype", None)
    assert np.shape(x_dot) == np.shape(x)


def test_short_decimals():
    """Numbers are short decimals from -9 to 9, and never zero."""
    numbers = rand_tangent(np.ones(10_000))

    assert np.array_equal(numbers, np.round(numbers, 2))
    assert 8.9 < np.abs(numbers).max() <= 9.0
    assert np.abs(numbers).min() == 0.01
    assert len(str(rand_tangent(1.0))) <= 5


NOT_PERTURBABLE = [
    *(1, np.int64(1), True, np.bool_(True), None, "a", b"a", int, math, math.sin, np.sin, rand_tangent),
    *(NoTangent(), ZeroTangent(), slice(1), test_short_decimals, scaled_by(3)),
    *((), {}, (1, "a"), Pair("a", 2), [True]),
    *(np.array([1, 2]), np.array(["a"]), np.array([1, "a"], dtype=object)),
]


@pytest.mark.parametrize("x", NOT_PERTURBABLE, ids=shown)
def test_not_perturbable(x):
    """Integers, what has no derivative, and values of nothing but that, have `NoTangent`."""
    assert rand_tangent(x) is NoTangent()


def test_structures():
    """Values with fields have a `Tangent` of their class; fields that cannot be perturbed `NoTangent`."""
    foo_dot = rand_tangent(Foo(np.ones((2, 2)), 1))
    assert type(foo_dot) is Tangent[Foo]
    assert foo_dot.A.shape == (2, 2)
    assert foo_dot.c is NoTangent()
    assert type(rand_tangent((1.0, "a"))) is Tangent[tuple]
    assert type(rand_tangent([1.0])) is Tangent[list]
    assert rand_tangent({"a": 1.0, "b": 2}).keys() == ("a", "b")
    assert isinstance(rand_tangent(scaled_by(2.0)).a, float)
    assert rand_tangent(Multiplier(np.ones(2))).w.shape == (2,)


def test_tangents_can_be_added():
    """A tangent can be added to itself, and to its primal."""
    x = ({"a": 1.0}, Foo(np.ones(2), 2.0), 3)
    x_dot = rand_tangent(x)
    moved = x + (x_dot + x_dot)

    assert type(moved) is tuple
    assert moved[0]["a"] == 1.0 + 2 * x_dot[0]["a"]
    assert moved[2] == 3


def test_other_containers():
    """Arrays of objects have arrays of tangents, sparse ones their pattern, thunks that of their value."""
    items = np.empty(2, dtype=object)
    items[0], items[1] = 1.0, (2.0, "a")
    tangents = rand_tangent(items)
    assert type(tangents[0]) is float
    assert type(tangents[1]) is Tangent[tuple]
    x = scipy.sparse.csr_array([[0.0, 1.0], [2.0, 0.0]])
    x_dot = rand_tangent(x)
    assert type(x_dot) is type(x)
    assert np.array_equal(x_dot.indices, x.indices)
    assert type(rand_tangent(thunk(lambda: 1.0))) is float


HOLDERS = {
    "closure": (scaled_by(2.0), lambda f_dot: f_dot.a),
    "partial": (functools.partial(max, 1.0), lambda f_dot: f_dot.args[0]),
    "keywords of a partial": (
        functools.partial(max, key=scaled_by(2.0)),
        lambda f_dot: f_dot.keywords["key"].a,
    ),
    "bound method": (Multiplier(2.0).__call__, lambda f_dot: f_dot.__self__.w),
    "ordered dict": (OrderedDict(a=1.0), lambda x_dot: x_dot["a"]),
    "namespace": (types.SimpleNamespace(a=1.0), lambda x_dot: x_dot.a),
    "decomposition": (np.linalg.eigh(np.eye(1)), lambda x_dot: x_dot.eigenvalues[0]),
    "polynomial": (np.polynomial.Polynomial([1.0]), lambda x_dot: x_dot.coef[0]),
    "nested": ({"a": [(1.0,)]}, lambda x_dot: x_dot["a"][0][0]),
}


@pytest.mark.parametrize(("x", "number"), HOLDERS.values(), ids=HOLDERS)
def test_everything_that_holds_numbers(x, number):
    """Whatever holds a number has a structural tangent that holds a random one, and moves along it."""
    x_dot = rand_tangent(x, 0)

    assert type(x_dot) is Tangent[type(x)]
    assert isinstance(number(x_dot), float)
    assert np.count_nonzero(tangent_to_vec(x, x_dot)) == to_vec(x)[0].size


@pytest.mark.parametrize("x", [np.ones(50), np.ones(50, complex), np.ones((5, 5), complex)], ids=np.shape)
def test_short_decimals(x):
    """Both parts have two decimals, are from -9 to 9, and not 0."""
    x_dot = rand_tangent(x, 0)

    for part in (x_dot.real, x_dot.imag) if np.iscomplexobj(x) else (x_dot,):
        np.testing.assert_allclose(100 * part, np.round(100 * part), rtol=1e-12)
        assert np.all((np.abs(part) >= 0.01) & (np.abs(part) <= 9.0))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "lil", "dok"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
def test_sparse_arrays(form, dtype):
    """The tangent of a sparse array has its form, pattern and dtype; integers have none."""
    x = scipy.sparse.coo_array(np.array([[0, 1], [2, 3]], dtype=dtype)).asformat(form)
    x_dot = rand_tangent(x, 0)

    assert type(x_dot) is type(x)
    assert x_dot.dtype == dtype
    assert np.array_equal(x_dot.toarray() != 0, x.toarray() != 0)
    assert rand_tangent((x != 0).astype(int)) is NoTangent()


def test_generators():
    """A generator or a seed decides the numbers; without one each call draws new ones."""
    assert rand_tangent(1.0, 5) == rand_tangent(1.0, np.random.default_rng(5))
    assert rand_tangent(np.ones(9)).tolist() != rand_tangent(np.ones(9)).tolist()
    rng = np.random.default_rng(1)
    assert generator(rng) is rng


def test_it_can_be_extended():
    """A method for a class of one's own is used."""

    class Angle:
        pass

    @rand_tangent.dispatch
    def rand_tangent_of_angle(x: Angle, rng: object = None):
        return 0.5

    assert rand_tangent((Angle(),)) == Tangent[tuple](0.5)


def test_records_are_refused():
    """They are not silently constant."""
    with pytest.raises(
        TypeError, match=r'array of records, .* Give the function an array for each field, x\["na'
    ):
        rand_tangent(np.zeros(2, dtype=[("a", "f8"), ("b", "i4")]))


def test_dates_cannot_be_perturbed():
    """Dates and times have no tangents."""
    assert rand_tangent(np.array(["2020-01-01"], dtype="datetime64[D]")) == NoTangent()


def test_multiples_of_the_identity():
    """Their tangents are multiples too; there are none where the factor is an integer."""
    assert type(rand_tangent(UniformScaling(2.0))) is UniformScaling
    assert isinstance(rand_tangent(UniformScaling(2)), NoTangent)


def test_the_range_of_random_numbers():
    """From a hundredth to nine, of both signs, with two decimals."""
    x = rand_tangent(np.ones(200_000), np.random.default_rng(0))

    assert {np.abs(x).min(), np.abs(x).max()} == {0.01, 9.0}
    assert {x.min(), x.max()} == {-9.0, 9.0}
    np.testing.assert_array_equal(np.round(x, 2), x)


def test_sparse_primals_are_left_alone():
    """The tangent has its pattern, in memory of its own."""
    for container in (scipy.sparse.coo_array, scipy.sparse.csr_array):
        x = container(np.eye(3))
        x_dot = rand_tangent(x, np.random.default_rng(0))

        np.testing.assert_array_equal(x.toarray(), np.eye(3))
        assert type(x_dot) is container
        assert x_dot.nnz == 3
        assert not np.may_share_memory(x.tocoo().row, x_dot.tocoo().row)
