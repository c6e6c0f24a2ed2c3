"""Arrays that are filled element by element, or row by row."""

import numpy as np
import pytest

from chainrules.ad import grad, jacobian, profile, vjp
from chainrules.ad.traced.filled_arrays import fill
from tests.chainrules.ad.writing.programs import X, check_program


def recurrence(x, fill):
    """Each element from the one before."""
    y = fill(np.zeros(4))
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * 0.5 + x[i - 1]
    return np.sum(y * y)


def added_to(x, fill):
    """Elements of an array that has some."""
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1] * x[i]
        y[-1] *= 2
    return np.sum(y * x)


def rows(x, fill):
    """Each row from the one before."""
    a = fill(np.zeros((3, 3)))
    a[0] = x
    for i in range(1, 3):
        a[i] = a[i - 1] * x + 0.1
    row = a[1]
    a[1, :] = row * 2.0
    return np.sum(a * a) + np.sum(row)


def columns(x, fill):
    """Columns, and axes between axes."""
    a = fill(np.ones((2, 3, 2)))
    for j in range(3):
        a[:, j] = np.outer(x[:2], x[1:]) * (1.0 + j)
    for j in range(2):
        a[0, :, j] = a[1, :, j] + x
        a[1, 2, j] = a[0, 0, j] * x[1]
    return np.sum(np.sin(a))


def changing_patterns(x, fill):
    """Elements, rows and columns in turn."""
    a = np.outer(x, x)
    a[0, 0] = x[1]
    a[0, 1] = 3
    a[1] = x
    b = a[1, 2] * 2.0
    a[:, 2] = np.sin(x)
    a[np.int64(2), -1] = b
    return np.sum(a * a[0, 0])


def row_that_is_written_into_while_it_waits(x, fill):
    """The row is a view, and the value was a view of something else."""
    a = fill(np.zeros((2, 3)))
    v = np.sin(x)
    a[0] = v
    v *= 2.0
    row = a[0]
    row[1] = x[0] * 3.0
    a[1] = row
    return np.sum(a * x)


def broadcast_and_converted(x, fill):
    """Values that NumPy repeats or converts."""
    a = fill(np.zeros((2, 3)))
    a[0] = x[1]
    a[1] = 2
    z = x + 1j * x
    z[0] = x[1]
    z[1] = x[0] * 1j
    return np.sum(a * x) + np.sum(np.abs(z) ** 2)


PROGRAMS = [
    recurrence,
    added_to,
    rows,
    columns,
    changing_patterns,
    row_that_is_written_into_while_it_waits,
    broadcast_and_converted,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program):
    """Values and all derivatives are those of the plain program."""
    check_program(program)


def test_all_writes_are_one_operation():
    """However many elements are written and read, one operation makes the array of them."""

    def f(x):
        y = x * 0.0
        for i in range(1, len(x)):
            y[i] = y[i - 1] + x[i]
        return np.sum(y)

    assert of_more_steps(f) == {"operator.getitem": 20, "operator.add": 20}


def of_more_steps(f):
    """How often each function is called more, if there are 20 steps more."""

    def calls(n):
        return {row.function: row.calls for row in profile(f, np.ones(n)).rows}

    few, many = calls(20), calls(40)
    return {name: many[name] - few[name] for name in many if many[name] != few[name]}


def test_all_writes_of_rows_are_one_operation():
    """Also of rows that are computed in place, and of rows that are written from the row before."""

    def f(x):
        a = np.zeros((len(x), 3)) * x[0]
        for i in range(1, len(x)):
            a[i] = a[i - 1] * 2.0
            a[i] += x[i]
        return np.sum(a)

    assert of_more_steps(f) == {"operator.getitem": 20, "operator.add": 20, "operator.mul": 20}


A, B = np.arange(3.0), np.ones((2, 3))


@pytest.mark.parametrize(
    ("array", "index", "value", "waits"),
    [
        (A, 0, 1.0, True),
        (A, -3, 1, True),
        (A, 2, lambda x: x, True),
        (A, np.int64(1), lambda x: x, True),
        (A, 3, 1.0, False),
        (A, -4, 1.0, False),
        (A, 0, 1j, False),
        (A, 0, A[:1], False),
        (A, slice(None), A, False),
        (A, (0, 0), 1.0, False),
        (1j * A, 0, lambda x: x, False),
        (1j * A, 0, 2.0, True),
        (A.astype(np.float32), 0, lambda x: x, False),
        (B, (1, -1), lambda x: x, True),
        (B, (1, 3), 1.0, False),
        (B, (2, 0), 1.0, False),
        (B, (-3, 0), 1.0, False),
        (B, (-2, -3), 1.0, True),
        (B, (0, 1.0), 1.0, False),
        (B, (True, 1), 1.0, False),
        (B, (0, 1, 2), 1.0, False),
        (B, 0, A, True),
        (B, (0, slice(None)), lambda x: x * A, True),
        (B, (slice(None), 2), A[:2], True),
        (B, (slice(1), 2), A[:1], False),
        (B, (slice(None, None, -1), 2), A[:2], False),
        (B, (slice(None), slice(None)), B, False),
        (B, 0, A[:2], False),
        (B, 0, A[:1], False),
        (B, 0, A.astype(int), False),
        (B, 0, A.astype(np.float32), False),
        (B, 0, lambda x: x, False),
        (B, 0, [1.0, 2.0, 3.0], False),
    ],
)
def test_which_writes_wait(array, index, value, waits):
    """Those of an element or a row that need no conversion; the others are made at once, or are errors."""
    answers = []

    def f(x):
        answers.append(fill(array * x, index, value(x) if callable(value) else value))
        return x

    grad(f)(2.0)
    assert answers == [waits]


def rows_of_arrays(x, fill):
    """Rows of the array itself, of others, and views that are no rows."""
    a, b = fill(np.zeros((3, 3))), np.outer(x, x)
    a[0] = b[0]
    a[1] = a[0]
    a[1] += x
    a[2] = np.sin(b).T[2]
    row = a[2]
    a[2] = a[1][::-1]
    a[0] = b.T[0][::-1]
    a[1] = a.T[1]
    return np.sum(a * b) + np.sum(row * row)


def test_rows_of_arrays():
    """Only a row that stands where it is written to is there already."""
    check_program(rows_of_arrays)


def test_an_array_that_is_still_being_filled_is_a_result():
    """Its elements keep their derivatives."""

    def f(x):
        y = np.zeros(3) * x
        y[0] = x[1] * 2.0
        return {"y": y, "row": y[1:]}

    expected = {"y": [[0, 2, 0], [0, 0, 0], [0, 0, 0]], "row": np.zeros((2, 3))}
    for mode in ("forward", "reverse"):
        found = jacobian(lambda x: f(x)["y"], mode=mode)(X)
        np.testing.assert_array_equal(found, expected["y"])
    y, pullback = vjp(f, X)
    assert y["y"].tolist() == [2 * X[1], 0, 0]
    np.testing.assert_array_equal(pullback({"y": np.ones(3), "row": np.ones(2)})[0], [0.0, 2.0, 0.0])


@pytest.mark.parametrize("index", [3, -4, (0, 0), ([0], 5), "a", 1.5])
def test_wrong_indices_are_numpys_errors(index):
    """They raise as they do for plain arrays."""

    def f(x):
        y = np.sin(x)
        y[0] = 1.0
        y[index] = x
        return np.sum(y)

    with pytest.raises((IndexError, ValueError)) as found:
        f(X.copy())
    with pytest.raises(found.type):
        grad(f)(X)


def test_indices_out_of_bounds():
    """The error is NumPy's."""

    def f(x):
        a = np.zeros((2, 2))
        a[5, 0] = x
        return np.sum(a)

    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        grad(f)(1.0)


def test_rows_of_plain_numbers():
    """A row that was filled with plain numbers is a view of the array like the others."""

    def f(x):
        a = np.zeros((2, 3))
        a[1] = x
        a[0] = np.ones(3)
        row = a[0]
        before = np.sum(row * a[1])
        a[0] = 2 * x
        return before + np.sum(row)

    np.testing.assert_array_equal(grad(f)(np.ones(3)), [3.0, 3.0, 3.0])


def rows_and_parts_of_rows(x, fill):
    """Writes of rows, of parts of them, from the end, and of several at once."""
    y = fill(np.zeros((4, 3)))
    y[0] = x
    y[-1] = x * x
    y[1:3] = np.sin(x)
    y[:, 1:2] = x[:1]
    y[2, :2] = x[1:] * y[0, 1]
    y[1, -1] = x[0] * y[-1, 2]
    for row in (4, -5):
        with pytest.raises(IndexError):
            y[row] = x
    return np.sum(y**2 * np.arange(12.0).reshape(4, 3)) + np.sum(y[1] * y[-2])


def test_rows_and_parts_of_rows():
    """Each is written where NumPy writes it."""
    check_program(rows_and_parts_of_rows)


def test_layout_of_copies():
    """The method copies into rows, so that other shapes of it are views; the function keeps the layout."""

    def f(x):
        y = x.T.copy()
        y.reshape(-1)[1] = 5.0 * x[0, 0]
        assert y.copy(order="F").strides == np.copy(x.T).strides
        assert y.copy("F").strides == (8, 24)
        return np.sum(y * weights)

    weights = np.arange(6.0).reshape(3, 2)
    x = np.arange(6.0).reshape(2, 3) + 1.0
    x_bar = weights.T.copy()
    x_bar[0, 0], x_bar[1, 0] = 5.0, 0.0
    np.testing.assert_allclose(grad(f)(x), x_bar)
