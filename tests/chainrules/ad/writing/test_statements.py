"""Writing into traced arrays means what it means in NumPy, for everybody who holds them."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules.ad import grad, jacobian, vjp
from chainrules.ad.writing.fillable import fillable
from chainrules_core import primal_of
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.traced.test_filled_arrays import of_more_steps
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.ad.writing.programs import X, check_program
from tests.chainrules.ad.writing.programs_that_write import PROGRAMS_THAT_WRITE


@pytest.mark.parametrize("program", PROGRAMS_THAT_WRITE)
def test_programs(program):
    """Values and all derivatives are those of the plain program."""
    check_program(program)


def test_single_precision_is_kept():
    """A write converts to the array's dtype, as NumPy does, and back to that of the value."""
    y = np.float32([1.5, 2.5])

    def f(x):
        z = x * np.float32(1)
        z[0] = z[1] * np.float64(2.0)
        z += np.float64([1.0, 2.0])
        return z

    value, pullback = vjp(f, y)
    (y_bar,) = pullback(np.ones(2))

    assert value.dtype == y_bar.dtype == np.float32
    np.testing.assert_array_equal(y_bar, [0.0, 3.0])


@pytest.mark.parametrize("index", [0, (slice(None), 1), ..., slice(1, 3)], ids=str)
def test_leading_axes_of_length_one_are_ignored(index):
    """As NumPy ignores them, both in what is written and in its cotangent."""

    def f(x):
        a = np.zeros((3, 3)) * x
        a[index] = np.reshape(np.sin(x), (1, 1, 3))[:, 0] if index is not ... else np.sin(x)[None, None]
        return np.sum(a * np.arange(9.0).reshape(3, 3))

    np.testing.assert_allclose(grad(f)(X), grad_by_differences(None, f, X)[0], rtol=1e-8)


def test_numbers_do_not_change():
    """``t += x`` of a number gives the name a new one, and nobody else."""

    def f(x):
        t = x[0]
        before = t
        t += x[1]
        t *= 2.0
        return t * before

    np.testing.assert_allclose(grad(f)(X), [2 * (2 * X[0] + X[1]), 2 * X[0], 0.0])


def test_an_array_that_could_not_be_written_is_a_result():
    """It is the constant that it was, also by views."""

    def f(x):
        y = fillable(np.zeros(3))
        with pytest.raises(IndexError):
            y[3] = x[0]
        return y

    y, pullback = vjp(f, X)
    np.testing.assert_array_equal([y, *pullback(np.ones(3))], np.zeros((2, 3)))


@pytest.mark.parametrize(
    "write", [lambda A: A.__setitem__((0, 0), 5.0), lambda A: A.__setitem__(slice(0), np.ones(2))]
)
def test_other_objects_are_not_written_into(write):
    """The message says what to do."""
    with pytest.raises(TypeError, match=r"traced csr_array was written into.*Make another csr_array"):
        grad(lambda A: write(A * 1.0))(csr_array(np.eye(2)))


def test_the_arguments_array_stays():
    """A function may write into its traced argument; the caller's array is left as it was."""

    def f(x):
        x *= 2.0
        x[0] = 5.0
        return np.sum(x**2)

    x = X.copy()
    np.testing.assert_array_equal(grad(f)(x), [0.0, *(8 * X[1:])])
    np.testing.assert_array_equal(x, X)


def test_broadcast_views_are_read_only():
    """As in NumPy, whose views that repeat elements cannot be written into."""

    def f(x):
        np.broadcast_to(x, (2, 3))[0] = 1.0
        return 0.0

    with pytest.raises(ValueError, match="read-only"):
        grad(f)(X)


@pytest.mark.parametrize(
    ("write", "error", "text"),
    [
        (lambda y: y.__iadd__(np.ones((2, 3))), ValueError, r"shape \(3,\).*shape \(2, 3\).*x = x \+ y"),
        (lambda y: y.__iadd__(1j), TypeError, r"complex128 into an array of float64.*x = x \+ y"),
        (lambda y: y.__setitem__(7, 1.0), IndexError, "out of bounds"),
        (lambda y: y.__setitem__(slice(2), np.ones(3)), ValueError, "broadcast"),
        (lambda y: setattr(y, "imag", 1.0), TypeError, "imaginary part"),
        (lambda y: y.resize(2), AttributeError, "resize"),
        (lambda y: y.__setitem__(0, [[1.0], [1.0, 2.0]]), ValueError, "inhomogeneous"),
    ],
)
def test_refused_writes(write, error, text):
    """What NumPy refuses is refused, in its words where it has good ones."""
    with pytest.raises(error, match=text):
        grad(lambda x: write(np.sin(x)))(X)


def test_values_of_an_inner_differentiation_do_not_leak():
    """Its traced values cannot be written into arrays of the outer one."""

    def f(x):
        buffer = np.zeros(3) * x

        def inner(z):
            buffer[0] = z[0] ** 2
            return np.sum(z)

        return np.sum(grad(inner)(x)) + buffer[0]

    with pytest.raises(TypeError, match="from outside the function that is differentiated"):
        grad(f)(X)

    def g(x):
        buffer = np.zeros(3) * x

        def inner(z):
            nonlocal buffer
            buffer += z
            return np.sum(z)

        return np.sum(grad(inner)(x)) + buffer[0]

    with pytest.raises(TypeError, match="from outside the function that is differentiated"):
        grad(g)(X)


def test_inner_differentiations_see_arrays_as_they_were():
    """An outer array that is overwritten after its use does not change the inner derivative."""

    def f(x):
        w = np.sin(x)
        y, pullback = vjp(lambda z: z * w, x)
        w[:] = 0.0
        y *= 0.0
        return np.sum(pullback(np.ones(3))[0] * x)

    def by_hand(x):
        return np.sum(np.sin(x) * x)

    np.testing.assert_allclose(grad(f)(X), grad(by_hand)(X))
    np.testing.assert_allclose(jacobian(f, mode="forward")(X), grad(by_hand)(X))


def test_inner_functions_write_into_their_own_argument():
    """The outer function's array stays."""

    def f(x):
        y = np.sin(x)

        def inner(z):
            z *= 2.0
            z[0] = z[1] * z[2]
            return np.sum(z * y)

        return np.sum(grad(inner)(y) * y)

    def by_hand(x):
        y = np.sin(x)
        return 4 * y[0] * y[2] * y[1] + 2 * y[1] ** 2 + (4 * y[0] * y[1] + 2 * y[2]) * y[2]

    np.testing.assert_allclose(f(X), by_hand(X))
    np.testing.assert_allclose(grad(f)(X), grad(by_hand)(X))


def test_an_index_that_is_overwritten():
    """The derivative goes to the places that were read, and written."""

    def f(x):
        index = np.array([0, 1])
        y = x[index] * x[(index,)]
        z = np.sin(x)
        z[index] = 2.0 * x[1:]
        index[:] = 2
        return np.sum(y) + np.sum(z)

    np.testing.assert_allclose(grad(f)(X), [2 * X[0], 2 * X[1] + 2.0, 2.0 + np.cos(X[2])])


def test_writes_after_the_differentiation_has_ended():
    """What a program keeps is a constant then, and can still be written into."""

    def f(x):
        y = np.sin(x)
        y[0] = 2.0
        return y

    kept = while_traced(X, f)
    kept[1] = 3.0
    kept += 1.0
    np.testing.assert_allclose(primal_of(kept), [3.0, 4.0, np.sin(X[2]) + 1.0])


def test_objects_of_another_differentiation():
    """A sparse array is updated within its own differentiation only."""

    def f(x):
        A = csr_array(np.eye(2)) * x
        A *= x
        return np.sum(A.toarray())

    assert grad(f)(3.0) == 12.0

    def g(x):
        A = csr_array(np.eye(2)) * x

        def inner(y):
            nonlocal A
            A *= y
            return y

        return grad(inner)(1.5) + np.sum(A.toarray())

    with pytest.raises(TypeError, match="outside the function"):
        grad(g)(3.0)


def test_what_is_computed_in_place_replaces_the_array():
    """Nothing is written: the name, and all who hold the array, have the result."""

    def f(x):
        y = x * 1.0
        for _ in range(len(x)):
            y += x
            y *= 2.0
        return np.sum(y)

    assert of_more_steps(f) == {"operator.add": 20, "operator.mul": 20}


def test_rows_that_are_computed_in_place():
    """Each is written where it stands, without asking where its elements are."""

    def f(x):
        a = np.zeros((len(x), 3)) * x[0]
        for i in range(1, len(x)):
            row = a[i]
            row += x[i]
        return np.sum(a)

    assert of_more_steps(f) == {"operator.getitem": 40, "operator.add": 20}


def copies_of_views(x, fill):
    """An array that depends on nothing, and the elements of its transpose in a row."""
    y = fill(np.zeros((3, 3)))
    flat, row = y.T.flat, y[1]
    flat[1] = 5.0
    row[1] = 2.0
    flat[2:4] = [3.0, 4.0]
    before = np.sum(y * np.arange(9.0).reshape(3, 3)) + flat[3]
    y[2] = x
    return before * np.sum(y[:, 0] * x) + flat[8]


def test_elements_of_arrays_that_depend_on_nothing():
    """They are written where they stand."""
    check_program(copies_of_views)
