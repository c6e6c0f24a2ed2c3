"""Functions that move the entries of sparse arrays: every format, both modes."""

import operator

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import call, grad, jvp
from chainrules.makers.versions import is_scipy_since
from chainrules.values.sparse import CLASSES
from chainrules_core import AbstractZero, NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import diagonals, formats, kinds, same_pattern, sparse

CONVERSIONS = ("toarray", "tocsr", "tocsc", "tocoo", "tobsr", "todia", "copy")


def check(f, *args, **fkwargs):
    """Check both modes of a call, each in random directions."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs, mode="fast")


@formats
@kinds
@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions(name, format, kind):
    """To dense arrays and to other formats."""
    A = sparse(format, kind)
    check(getattr(type(A), name), A)
    check(getattr(type(A), name), sparse(format, kind, dtype=complex))


@formats
@pytest.mark.parametrize("offset", [-1, 0, 2, 9])
def test_diagonals(format, offset):
    """Of any offset."""
    A = sparse(format)
    check(type(A).diagonal, A, offset)


@formats
def test_other_methods(format):
    """Transposes and other shapes, with options by keyword."""
    A = sparse(format)
    check(type(A).transpose, A)
    check(type(A).reshape, A, (5, 4), order="F")
    check(type(A).asformat, A, "csc")
    check(type(A).todense, A)


@formats
@pytest.mark.parametrize("f", [scipy.sparse.tril, scipy.sparse.triu], ids=lambda f: f.__name__)
def test_triangles(f, format):
    """What is outside has the cotangent zero."""
    check(f, sparse(format))
    check(f, sparse(format), 1)


def test_rows_and_columns_of_matrices():
    """The methods of the older matrices."""
    A = sparse(kind="matrix")
    check(type(A).getrow, A, 2)
    check(type(A).getcol, A, 0)


INDICES = {
    "element": (0, 2),
    "no entry": (1, 1),
    "rows": slice(1, 4, 2),
    "block": (slice(0, 3), slice(2, 5)),
    "chosen rows": ([3, 0, 3],),
    "mask": (np.array([True, False, False, True]),),
    "elements": (np.array([[0, 0], [3, 1]]), np.array([[2, 2], [0, 0]])),
}


@pytest.mark.parametrize("format", ["csr", "csc", "lil"])
@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_elements(index, format):
    """Elements, rows, columns, blocks; what is picked twice has the sum of two cotangents."""
    check(operator.getitem, sparse(format), index)


@pytest.mark.parametrize("format", ["csr", "csc", "lil"])
@pytest.mark.parametrize("index", [2, (slice(None), 4), (3, slice(0, 2))])
def test_rows_and_columns(index, format):
    """They are sparse vectors, and so are their cotangents."""
    A = sparse(format)
    y, pullback = rrule(operator.getitem, A, index)
    expected = np.zeros((4, 5))
    expected[index] = (A.toarray()[index] != 0) * 2.0

    assert y.ndim == 1
    np.testing.assert_array_equal(pullback((y != 0) * 2.0)[1].toarray(), expected)
    np.testing.assert_array_equal(grad(lambda A: 2.0 * np.sum(A[index]))(A).toarray(), expected)
    y, y_dot = frule((NoTangent(), 2.0 * A, NoTangent()), operator.getitem, A, index)
    np.testing.assert_array_equal(y_dot.toarray(), 2.0 * y.toarray())


def test_explicit_zeros():
    """They are entries, and have cotangents."""
    A = sparse()
    A.data[0] = 0.0
    _, pullback = rrule(operator.getitem, A, (0, 0))

    assert same_pattern(pullback(3.0)[1], A)
    assert pullback(3.0)[1].data[0] == 3.0


def test_stored_diagonals():
    """Of an array that stores whole diagonals."""
    A = diagonals()
    for name in ("toarray", "tocsr", "diagonal", "transpose"):
        check(getattr(type(A), name), A)


@formats
@pytest.mark.parametrize(
    ("f", "options"),
    [
        *((np.diagonal, (1,)), (np.trace, (1,)), (np.trace, ()), (np.copy, ())),
        *((np.dot, (normal(5),)), (np.reshape, ((5, 4),))),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_functions_of_numpy(f, options, format):
    """They have the rules of the methods, for which AD systems call them."""
    A = sparse(format)
    method = getattr(type(A), f.__name__)
    y, pullback = rrule(f, A, *options)
    y_bar = normal(*y.shape)

    expected = unthunk(rrule(method, A, *options)[1](y_bar)[1])
    assert (unthunk(pullback(y_bar)[1]) != expected).nnz == 0
    tangents = (NoTangent(), A, *(ZeroTangent() for _ in options))
    difference = frule(tangents, f, A, *options)[1] - method(A, *options)
    assert abs(difference).max() < 1e-12


def test_writing_is_refused():
    """Into a given array, and for results that have no tangents."""
    A = sparse()
    with pytest.raises(TypeError, match="out"):
        rrule(type(A).toarray, A, out=np.zeros((4, 5)))
    with pytest.raises(TypeError, match="out"):
        rrule(type(A).toarray, A, "C", np.zeros((4, 5)))
    assert rrule(operator.getitem, sparse(kind="matrix"), ([0, 1], [2, 3])) is None


def test_zero_tangents():
    """They pass."""
    A = sparse()
    assert frule((NoTangent(), ZeroTangent()), type(A).toarray, A)[1] is ZeroTangent()
    assert rrule(type(A).toarray, A)[1](ZeroTangent())[1] is ZeroTangent()


def test_rules_can_be_differentiated():
    """Second derivatives through elements, and through the dense array."""
    A = sparse()

    def squares(A):
        return np.sum(call(type(B).toarray, A) ** 3) + A[0, 2] ** 3 + np.sum(A[3] * A[3])

    B = A
    second = grad(lambda A: np.sum(grad(squares)(A)))(A)
    dense = A.toarray()
    expected = 6 * dense
    expected[0, 2] *= 2
    expected[3] += 2 * (dense[3] != 0)
    np.testing.assert_allclose(second.toarray(), expected, rtol=1e-12)


def test_memory_is_that_of_the_entries():
    """No cotangent is ever a dense array."""
    n = 10**5
    A = scipy.sparse.csr_array((normal(n), np.arange(n), np.arange(n + 1)), shape=(n, n))

    assert same_pattern(rrule(type(A).diagonal, A)[1](np.ones(n))[1], A)
    assert same_pattern(rrule(operator.getitem, A, slice(0, 10))[1](A[:10])[1], A)
    assert same_pattern(rrule(type(A).tocsc, A)[1](A.tocsc())[1], A)


# --- The methods of all classes --------------------------------------------------------------------

# What methods need; without others.
ARGUMENTS = {
    "asformat": ("csr",),
    "astype": (np.float32,),
    "dot": (np.ones(4),),
    "getcol": (0,),
    "getrow": (1,),
    "multiply": (2.0,),
    "power": (2.5,),
    "reshape": ((2, 8),),
}

# An upper bidiagonal matrix, which stores the same entries in every format, none of them a whole number.
BIDIAGONAL = np.diag([0.1, 0.2, 0.3, 0.4]) + np.diag([0.6, 0.7, 0.8], 1)


def methods_with_rules(cls):
    """The name of each method of a class that has rules for arrays of it."""
    callees = set(rrule.callees())
    members = ((name, getattr(cls, name)) for name in dir(cls) if not name.startswith("_"))
    return [name for name, member in members if callable(member) and member in callees]


@pytest.mark.parametrize(
    "cls", [cls for cls in CLASSES if cls.__name__[:3] != "dok"], ids=lambda cls: cls.__name__
)
def test_every_method(cls):
    """Of every class, in both modes."""
    A = cls(BIDIAGONAL)

    for name in methods_with_rules(cls):
        method, arguments = getattr(cls, name), ARGUMENTS.get(name, ())
        if rrule(method, A, *arguments) is not None:  # lists of lists have no elementwise functions
            check(method, A, *arguments)


@pytest.mark.parametrize(
    "cls", [scipy.sparse.dok_array, scipy.sparse.dok_matrix], ids=lambda cls: cls.__name__
)
def test_every_method_of_dictionaries(cls):
    """The testers take a dictionary of keys for a dict: it has the derivatives of the other formats."""
    A, other = cls(BIDIAGONAL), scipy.sparse.csr_array(BIDIAGONAL)
    if cls is scipy.sparse.dok_matrix:
        other = scipy.sparse.csr_matrix(BIDIAGONAL)

    for name in methods_with_rules(cls):
        method, arguments = getattr(cls, name), ARGUMENTS.get(name, ())
        answer = rrule(method, A, *arguments)
        if answer is None:
            continue
        y, pullback = answer
        expected_y, expected_pullback = rrule(getattr(type(other), name), other, *arguments)
        _, A_bar, *_ = pullback(y)
        _, expected, *_ = expected_pullback(expected_y)
        zeros = (NoTangent(),) * len(arguments)
        y_dot = frule((NoTangent(), A, *zeros), method, A, *arguments)[1]

        assert type(unthunk(A_bar)) is cls
        np.testing.assert_allclose(unthunk(A_bar).toarray(), unthunk(expected).toarray())
        np.testing.assert_allclose(dense(y_dot), dense(y), err_msg=f"{name}, which is linear")
        record_exercised(method, rrule.find(method, A, *arguments))
        record_exercised(method, frule.find((NoTangent(), A, *zeros), method, A, *arguments))


def dense(x):
    """A number, or the elements of an array of any kind."""
    return x.toarray() if scipy.sparse.issparse(x) else np.asarray(x)


@pytest.mark.parametrize("move", ["tocsr", "tocsc", "tocoo", "tobsr"])
def test_zeros_on_stored_diagonals(move):
    """SciPy drops them from other forms; they move all the same."""
    f = lambda d: getattr(scipy.sparse.diags_array(d), move)().toarray().sum()  # noqa: E731 - one expression
    np.testing.assert_array_equal(grad(f)(np.array([0.0, 1.0, 0.0])), np.ones(3))


@pytest.mark.skipif(not is_scipy_since(1, 16), reason="SciPy 1.16 has turned sparse arrays first")
@formats
def test_turned_arrays(format):
    """Axes are exchanged, ordered anew and added, also in arrays of more than two axes."""
    A = sparse(format)
    check(scipy.sparse.swapaxes, A, 0, 1)
    check(scipy.sparse.permute_dims, A, (1, 0), False)


@pytest.mark.skipif(not is_scipy_since(1, 16), reason="SciPy 1.16 has turned sparse arrays first")
def test_arrays_of_three_axes():
    """Entries go back to where they came from, and an array of coordinates stays as it is."""
    places = ([0, 1, 1], [2, 0, 1], [1, 0, 3])
    weights = normal(4, 2, 1, 3)

    def f(x):
        A = scipy.sparse.coo_array((x, places), shape=(2, 3, 4))
        turned = scipy.sparse.expand_dims(scipy.sparse.permute_dims(A, (2, 0, 1)), axis=2)
        assert A.shape == (2, 3, 4)
        return np.sum(turned.toarray() ** 2 * weights)

    x = np.array([1.0, -2.0, 3.0])
    i, j, k = map(np.array, places)
    np.testing.assert_allclose(grad(f)(x), 2.0 * x * weights[k, i, 0, j])
    np.testing.assert_allclose(jvp(f, (x,), (x,))[1], grad(f)(x) @ x)
    A = scipy.sparse.coo_array((x, places), shape=(2, 3, 4))
    check(scipy.sparse.permute_dims, A, (2, 0, 1))
    check(scipy.sparse.swapaxes, A, 0, 2)
    check(scipy.sparse.expand_dims, A, axis=1)


@formats
@kinds
def test_found_entries(format, kind):
    """Those that are not zero, with their places, each once."""
    A = sparse(format, kind)
    check(scipy.sparse.find, A)
    check(scipy.sparse.find, sparse(format, kind, dtype=complex))
    zero = A.copy() * 0.0
    assert (
        unthunk(rrule(scipy.sparse.find, zero)[1]((NoTangent(), NoTangent(), np.zeros(0)))[1]).nnz == zero.nnz
    )
    assert isinstance(frule((NoTangent(), ZeroTangent()), scipy.sparse.find, A)[1], AbstractZero)
    assert isinstance(rrule(scipy.sparse.find, A)[1](ZeroTangent())[1], ZeroTangent)


def test_found_entries_twice():
    """Entries of coordinates that occur twice are summed; second derivatives are those of the entries."""
    places = ([0, 1, 0], [2, 0, 2])

    def f(x):
        return np.sum(scipy.sparse.find(scipy.sparse.coo_array((x, places), shape=(2, 3)))[2] ** 3)

    x = np.array([1.0, -2.0, 3.0])
    np.testing.assert_allclose(grad(f)(x), [48.0, 12.0, 48.0])
    np.testing.assert_allclose(grad(lambda x: np.sum(grad(f)(x) ** 2))(x)[1], -288.0)
