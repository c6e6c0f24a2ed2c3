"""The functions of NumPy that write into an array."""

import numpy as np
import pytest

from chainrules.ad import compiled, grad, profile
from chainrules_core import primitive
from tests.chainrules.ad.writing.programs import X, check_program

MASK = np.array([[True, False, True], [False, True, True], [False, False, True]])

CALLS = {
    "copyto": np.copyto,
    "copyto where": lambda a, x: np.copyto(a, x * 2.0, where=MASK),
    "fill_diagonal": np.fill_diagonal,
    "fill_diagonal by a number": lambda a, x: np.fill_diagonal(a, x[1] * x[2]),
    "fill_diagonal by few": lambda a, x: np.fill_diagonal(a, x[:2]),
    "place": lambda a, x: np.place(a, MASK, x[:2]),
    "put": lambda a, x: np.put(a, [0, 4, -1], x),
    "put few": lambda a, x: np.put(a, [[0, 4], [1, 0]], x),
    "put wrapped": lambda a, x: np.put(a, [10, -2], x, mode="wrap"),
    "put clipped": lambda a, x: np.put(a, [10, -2], x[0], mode="clip"),
    "put_along_axis": lambda a, x: np.put_along_axis(a, np.array([[0], [2], [1]]), x[:, None], 1),
    "putmask": lambda a, x: np.putmask(a, MASK, x[:2]),
    "copyto a list": lambda a, x: np.copyto(a, [x[0], 1.0, x[1] * x[2]]),
    "fill_diagonal by a list": lambda a, x: np.fill_diagonal(a, [x[0], x[1] ** 2]),
    "place a tuple": lambda a, x: np.place(a, MASK, (x[0], 2.0, x[1] ** 2)),
    "putmask by a list": lambda a, x: np.putmask(a, MASK, [x[0], x[1] ** 2]),
    "put a list": lambda a, x: a.put([1, 2], [x[0], 3.0]),
    "nan_to_num": lambda a, x: (np.copyto(a[0, 1:], np.nan), np.nan_to_num(a, copy=False, nan=2.0)),
    "put nothing": lambda a, x: np.put(a, [0, 4], x[:0]),
    "putmask by a number": lambda a, x: np.putmask(a, MASK, x[1]),
    "putmask by a plain number": lambda a, x: np.putmask(a, MASK, 2.0),
    "putmask by nothing": lambda a, x: np.putmask(a, MASK, x[:0]),
    "copyto by keywords": lambda a, x: np.copyto(src=x, dst=a),
    "put by keywords": lambda a, x: np.put(v=x, ind=[1], a=a),
    "add.at": lambda a, x: np.add.at(a, [0, 0, 2], np.stack([x, x**2, x[::-1]])),
    "add.at by a number": lambda a, x: np.add.at(a, ([0, 1, 0], [1, 1, 1]), x[0]),
    "subtract.at": lambda a, x: np.subtract.at(a, [1, 1], x),
    "add out": lambda a, x: np.add(a, x, out=a),
    "add out by position": lambda a, x: np.add(a, x, a),
    "multiply out in a tuple": lambda a, x: np.multiply(a, x, out=(a,)),
    "constant out": lambda a, x: np.add(np.ones(3), 1.0, out=a[0]),
    "dot out": lambda a, x: np.dot(a, np.eye(3) * x[1], out=a),
    "cumsum out": lambda a, x: np.cumsum(a, axis=0, out=a),
    "cumsum out of a method": lambda a, x: a.cumsum(0, None, a),
    "reduce out": lambda a, x: np.add.reduce(a, axis=0, out=a[1]),
    "mean out": lambda a, x: np.mean(a, axis=0, out=a[0]),
    "clip out": lambda a, x: a.clip(-0.3, 0.4, out=a),
    "take out": lambda a, x: np.take(a, [2, 1, 0], axis=0, out=a),
}


@pytest.mark.parametrize("name", CALLS)
def test_writers(name):
    """Values and all derivatives are those of the plain program, through views too."""
    write = CALLS[name]

    def program(x, fill):
        a = np.outer(np.sin(x), np.cos(x) + 2.0)
        b = a.T
        if name not in {
            "put",
            "put few",
            "put wrapped",
            "put clipped",
            "put by keywords",
            "put a list",
            "dot out",
        }:  # NumPy wants its memory
            write(b, x)
        write(a, x)
        return np.sum(a * b * x)

    check_program(program)


def test_results_of_writing_calls():
    """``out`` is what the call returns, as in NumPy; the writers return nothing."""

    def f(x):
        y = np.sin(x)
        assert np.exp(x, out=y) is y
        assert np.copyto(y, x) is None
        assert np.nan_to_num(y, False) is y
        assert np.nan_to_num(y[0], copy=False) == y[0]
        return np.sum(y)

    np.testing.assert_array_equal(grad(f)(X), np.ones(3))


def test_functions_that_are_marked():
    """A writer that is marked for AD systems is served as the writer itself, compiled too."""
    marked = primitive(np.copyto)

    def f(x):
        y = np.zeros(3)
        marked(y, x * x)
        return np.sum(y)

    gradient = compiled(grad(f))
    for x in (X, 2.0 * X):
        np.testing.assert_array_equal(grad(f)(x), 2.0 * x)
        np.testing.assert_array_equal(gradient(x), 2.0 * x)


def test_plain_arrays_are_refused():
    """They cannot hold the derivative."""
    plain = np.zeros(3)
    for write in (lambda x: np.copyto(plain, x), lambda x: np.add.at(plain, [0], x[0])):
        with pytest.raises(TypeError, match="in place"):
            grad(write)(X)


def test_ufuncs_at_places():
    """An element that is met several times is written several times."""

    def program(x, fill):
        y, z, w, v = fill(np.ones(3)), np.outer(x, x), np.cos(x), x * 2.0
        np.multiply.at(y, [0, 1, 1, 2, -2], np.array([x[0], x[1], x[2], 2.0, x[1]]))
        np.divide.at(z, ([0, 1, 0], [2, 2, 2]), [x[0] + 3.0, 2.0, x[1]])
        np.maximum.at(w, [0, 0, 2], x[1])
        np.negative.at(v, [0, 0, 1])
        np.multiply.at(v, slice(1, None), x[1:])
        np.exp.at(v, np.array([True, False, False]))
        np.power.at(v, np.array([], int), x[:0])
        np.add.at(w, [0, 0, 1], [x[0], 1.0, x[2]])
        single = fill(np.ones(()))
        np.multiply.at(single, (), x[0])
        last = fill(np.ones(()))
        np.put(last, [0, 0, 0], x)
        return single * last * np.sum(y**2) + np.sum(z**2) + np.sum(w**2) + np.sum(v**3)

    check_program(program)


def test_ufuncs_at_places_refuse():
    """Where numbers would lose what they are, and plain arrays, which cannot hold the derivative."""
    with pytest.raises(TypeError, match=r"complex128.*float64, as np\.multiply\.at does"):
        grad(lambda x: np.multiply.at(np.sin(x), [0], 1j))(X)
    plain = np.zeros(3)
    with pytest.raises(TypeError, match=r"multiply\.at|array"):
        grad(lambda x: np.multiply.at(plain, [0], x[0]))(X)


@pytest.mark.parametrize(
    ("write", "error"),
    [
        (lambda a, x: np.copyto(a, 1j * x), TypeError),
        (lambda a, x: np.place(a, MASK, x[:0]), ValueError),
        (lambda a, x: np.copyto(np.zeros(3), x), TypeError),
        (lambda a, x: np.put(np.zeros(3), [0], x), TypeError),
    ],
)
def test_refused(write, error):
    """What NumPy refuses is refused, and so is a plain array, which would lose the derivative."""
    with pytest.raises(error):
        grad(lambda x: write(np.outer(x, x), x))(X)


def test_elements_that_are_met_once_are_written_together():
    """An element that is met three times takes three turns, and the others one."""

    def turns(indices):
        table = profile(lambda x: np.multiply.at(y := x * 1.0, indices, 2.0) or np.sum(y), X)
        return sum(row.calls for row in table.rows if row.function == "numpy.multiply")

    assert turns([0, 1, 2]) == 1
    assert turns([2, 0, 2, 1, 2]) == 3
