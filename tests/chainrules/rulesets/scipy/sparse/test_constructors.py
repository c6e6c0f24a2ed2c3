"""Sparse arrays made from numbers and places, from dense arrays, from diagonals and from blocks."""

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.ad import call, grad, hvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import kinds, same_pattern, sparse

# Two numbers go to one place.
ROWS, COLUMNS = np.array([0, 1, 1, 3]), np.array([0, 2, 2, 1])


def check(f, *args, **fkwargs):
    """Check both modes of a call, backwards in a random direction."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs, mode="fast")


def class_of(format, kind="array"):
    """One of SciPy's classes."""
    return getattr(sp, f"{format}_{kind}")


@kinds
@pytest.mark.parametrize("format", ["coo", "csr", "csc"])
@pytest.mark.parametrize("dtype", [float, complex])
def test_coordinates(format, kind, dtype):
    """Numbers that are added at one place all have the cotangent of that place."""
    numbers = normal(4, dtype=dtype)
    check(class_of(format, kind), (numbers, (ROWS, COLUMNS)), shape=(4, 5))
    check(class_of(format, kind), (numbers, (ROWS, COLUMNS)))


@kinds
@pytest.mark.parametrize(("format", "shape"), [("csr", (4, 5)), ("csc", (5, 4))])
def test_compressed(format, shape, kind):
    """By the starts of rows, or columns."""
    check(class_of(format, kind), (normal(4), COLUMNS, np.array([0, 1, 3, 3, 4])), shape=shape)
    backwards = (normal(4), np.array([1, 0, 2, 0]), np.array([0, 3, 3, 3, 4]))
    check(class_of(format, kind), backwards, shape=shape)


@kinds
def test_blocks_and_diagonals(kind):
    """What is stored outside of the matrix has the cotangent zero."""
    check(class_of("bsr", kind), (normal(2, 2, 2), np.array([0, 1]), np.array([0, 1, 2])), shape=(4, 4))
    check(class_of("dia", kind), (normal(3, 4), np.array([0, 1, -2])), shape=(4, 4))
    check(class_of("dia", kind), (normal(4), 1), shape=(4, 4))


@kinds
@pytest.mark.parametrize("container", [list, tuple, np.array])
def test_places_in_any_sequence(container, kind):
    """Offsets of diagonals, and starts of rows, are no coordinates where they stand in a list or a tuple."""
    data, weights = np.arange(1.0, 7.0).reshape(2, 3), np.arange(9.0).reshape(3, 3)
    offsets, columns, starts = container([0, 1]), container([0, 2, 1]), container([0, 1, 3, 3])

    def diagonals(x):
        return np.sum(call(class_of("dia", kind), (x, offsets), shape=(3, 3)).toarray() * weights)

    def compressed(x):
        return np.sum(call(class_of("csr", kind), (x, columns, starts), shape=(3, 3)).toarray() * weights)

    assert np.array_equal(grad(diagonals)(data), [[0.0, 4.0, 8.0], [0.0, 1.0, 5.0]])
    assert np.array_equal(grad(compressed)(data[0]), [0.0, 5.0, 4.0])


@kinds
def test_places_that_are_floats(kind):
    """As columns of a table are, of which another one is differentiated by: SciPy makes them whole."""
    table, weights = np.stack([ROWS, COLUMNS, np.zeros(4)]), np.array([[3.0, 1.0, 4.0], [1.0, 5.0, 9.0]])

    def of_coordinates(x):
        filled = table.copy()
        filled[2] = x * x
        rows, columns, numbers = filled
        return np.sum(weights @ placed((numbers, (columns, rows)), shape=(3, 4)))

    placed, x = class_of("csr", kind), np.array([1.0, 2.0, 3.0, 4.0])
    assert np.allclose(grad(of_coordinates)(x), 2.0 * x * [4.0, 13.0, 13.0, 6.0])
    assert np.allclose(hvp(of_coordinates, x, np.ones(4)), 2.0 * np.array([4.0, 13.0, 13.0, 6.0]))
    starts, ones = np.array([0.0, 1.0, 4.0]), np.ones(4)
    assert np.allclose(grad(lambda x: placed((x, 1.0 * ROWS, starts), shape=(2, 4)).sum())(x), ones)
    diagonals = class_of("dia", kind)
    assert np.allclose(grad(lambda x: diagonals((x, [1.0]), shape=(4, 4)).sum())(x), [0.0, 1.0, 1.0, 1.0])


@kinds
@pytest.mark.parametrize("format", ["coo", "csr", "csc", "bsr", "dia", "lil"])
def test_other_arrays(format, kind):
    """From a dense array, and from a sparse one."""
    check(class_of(format, kind), normal(3, 4))
    check(class_of(format, kind), sparse("csr", kind))


@kinds
def test_dictionaries_of_keys(kind):
    """The testers take them for dicts: they have the derivatives of the other formats."""
    cls, other, x = class_of("dok", kind), class_of("csr", kind), normal(3, 4)
    y, pullback = rrule(cls, x)
    x_bar, expected = pullback(y)[1], rrule(other, x)[1](other(y))[1]
    tangents = NoTangent(), normal(3, 4, seed=1)

    np.testing.assert_array_equal(unthunk(x_bar), unthunk(expected))
    np.testing.assert_array_equal(frule(tangents, cls, x)[1].toarray(), tangents[1])
    record_exercised(cls, rrule.find(cls, x))
    record_exercised(cls, frule.find(tangents, cls, x))


def test_shapes():
    """A shape is no pair of numbers and places."""
    assert rrule(sp.csr_array, (3, 4)) is None
    assert frule((NoTangent(), NoTangent()), sp.csr_array, (3, 4)) is None


@kinds
@pytest.mark.parametrize("f", [sp.hstack, sp.vstack, sp.block_diag], ids=lambda f: f.__name__)
def test_stacks(f, kind):
    """Each block has its part of the cotangent, in its own format."""
    A, B = sparse("csr", kind), sparse("csc", kind, seed=2)
    check(f, [A, B])
    check(f, (A, B), format="csr")
    y, pullback = rrule(f, [A, B])
    A_bar, B_bar = pullback(y)[1]
    assert same_pattern(A_bar, A)
    assert same_pattern(B_bar, B)


@kinds
def test_blocks(kind):
    """Nested lists, with nothing in some places, or dense blocks."""
    A, B = sparse("csr", kind), sparse("csc", kind, seed=2)
    check(sp.bmat, [[A, None], [normal(2, 5), normal(2, 5)]])
    check(sp.block_array, [[A, None], [None, B]])


def test_diagonals():
    """Vectors, or numbers that are repeated."""
    check(sp.diags_array, [normal(3), normal(4), normal(3)], offsets=[-1, 0, 1])
    check(sp.diags_array, [1.0, -2.0], offsets=[0, 1], shape=(4, 4))
    check(sp.diags_array, [1.0 - 0.5j, -2.0], offsets=[0, 1], shape=(4, 4))
    check(sp.diags_array, normal(4), format="csr")
    check(sp.diags, normal(4))


def test_zero_tangents():
    """They stay zeros, as a whole; parts without a tangent have zeros."""
    A, source = sparse(), (normal(4), (ROWS, COLUMNS))
    zero = ZeroTangent()
    assert frule((NoTangent(), zero), sp.hstack, [A, A])[1] is zero
    assert rrule(sp.hstack, [A, A])[1](zero)[1] is zero
    assert frule.unchecked((NoTangent(), zero), sp.coo_array, source)[1] is NoTangent()
    assert rrule(sp.coo_array, source)[1](zero)[1][0] is zero
    y_dot = frule((NoTangent(), Tangent[list](A, zero)), sp.vstack, [A, A])[1]
    np.testing.assert_array_equal(y_dot.toarray(), np.vstack([A.toarray(), 0 * A.toarray()]))


def test_numbers_stay_numbers():
    """A dtype in which the numbers of entries have no place is refused rather than trusted."""
    _, pullback = rrule(sp.hstack, [sparse(), sparse()], dtype=np.float32)
    with pytest.raises(TypeError, match="do not ask for a dtype"):
        pullback(np.ones((4, 10), np.float32))


def test_programs():
    """A sparse matrix made from traced numbers, multiplied; and differentiated twice."""
    x = normal(5)

    def f(v):
        return np.sum((call(sp.csr_array, (v, (ROWS, COLUMNS)), (4, 5)) @ x) ** 3)

    def dense(v):
        A = np.zeros((4, 4, 5))
        A[np.arange(4), ROWS, COLUMNS] = 1.0
        return np.sum((np.tensordot(v, A, 1) @ x) ** 3)

    v, e = normal(4), 1e-6
    expected = [(dense(v + e * u) - dense(v - e * u)) / (2 * e) for u in np.eye(4)]
    np.testing.assert_allclose(grad(f)(v), expected, rtol=1e-7)
    second = [(np.sum(grad(f)(v + e * u)) - np.sum(grad(f)(v - e * u))) / (2 * e) for u in np.eye(4)]
    np.testing.assert_allclose(grad(lambda v: np.sum(grad(f)(v)))(v), second, rtol=1e-7)


def test_memory_is_that_of_the_entries():
    """A gradient by the entries of a million rows takes no more memory than the entries."""
    n = 10**6
    v, place = normal(n), np.arange(n)
    gradient = grad(lambda v: np.sum(call(sp.csr_array, (v, place, np.arange(n + 1)), (n, n)) @ v))(v)

    np.testing.assert_allclose(gradient, 2 * v)


def test_zeros_on_diagonals():
    """Formats other than that of diagonals do not store them; they move all the same."""
    d, v = np.array([0.0, 1.0, 0.0]), np.array([2.0, 3.0, 4.0])
    for f in (
        lambda d: (sp.diags_array(d, format="csr") @ v).sum(),
        lambda d: (sp.csr_array(sp.diags_array(d)) @ v).sum(),
        lambda d: (sp.block_diag([sp.diags_array(d)]) @ v).sum(),
    ):
        np.testing.assert_array_equal(grad(f)(d), v)
