"""Views of traced arrays are those of NumPy: what shares memory there, shares elements here."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from scipy.sparse import csr_array

from chainrules.ad import grad, jvp, value_and_grad, vjp
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import traced
from chainrules.ad.traced.views import as_view, item, plain_array, snapshot, with_own_arrays
from chainrules.ad.writing.fillable import fillable
from chainrules_core import primal_of
from chainrules_core.structured import Diagonal
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.ad.writing.programs import check_program
from tests.chainrules.ad.writing.ways_to_views import KEPT_AND, WAYS, scaled, tail
from tests.python_calls import functions_run_by

MATRIX = np.arange(6.0).reshape(2, 3) + 0.5


def moves(way, x):
    """Whether an array changes where an array that was got from it is written into, or the error."""
    x = x * 1.0
    y = way(x)
    before = float(np.sum(np.cos(x)))
    try:
        y[...] = -7.0
    except ValueError:
        return "read-only"
    return float(np.sum(np.cos(x))) != before


@pytest.mark.parametrize("name", WAYS)
def test_views_are_those_of_numpy(name):
    """A write goes through to the array exactly where it does in NumPy."""
    way = WAYS[name]
    expected = moves(way, MATRIX)
    seen = []

    def f(x):
        y = x * 1.0
        before = y.copy()
        z = way(y)
        try:
            z[...] = -7.0
        except ValueError:
            seen.append("read-only")
            return 0.0
        np.testing.assert_array_equal(*while_plain(z, np.full(z.shape, -7.0)))
        seen.append(bool(np.any(y != before)))
        return np.sum(y**2)

    grad(f)(MATRIX)
    assert seen == [expected]


def while_plain(*arrays):
    """The values of arrays that were traced."""
    return map(primal_of, arrays)


@pytest.mark.parametrize("name", [name for name in WAYS if "'F'" not in name])
def test_views_of_plain_arrays_are_those_of_numpy(name):
    """Likewise for arrays in which nothing is traced yet."""
    way = WAYS[name]
    assert moves(way, fillable(MATRIX.copy())) == moves(way, MATRIX)


def views_of_views(x, fill):
    """Written through at each level."""
    a = np.outer(x, np.cos(x))
    b = a[1:].T[::-1]
    c = b.reshape(3, 2)[:, 0]
    c *= x
    b[0] += c[:2]
    a[2] = 0.5 * b[1, 0]
    return np.sum(a * a) + np.sum(b) * np.sum(c)


def view_before_and_after(x, fill):
    """A view that is read between writes."""
    y = np.sin(x)
    end = y[1:]
    first = np.sum(end * end)
    y *= x
    second = np.sum(end * end)
    end[0] = first
    return second * np.sum(y)


def split_arrays(x, fill):
    """Views that are items of lists."""
    y = np.sin(x)
    a, b = np.split(y, [1])
    b += a
    c, d = np.array_split(y, 2)
    d *= c[0]
    e, g = np.atleast_1d(y[:1], y[1:])
    g += e
    return np.sum(y**2)


@pytest.mark.parametrize("program", [views_of_views, view_before_and_after, split_arrays])
def test_programs(program):
    """Views show what is written into the array, and the array what is written into views, in any order."""
    check_program(program)


def test_results_of_rules_that_are_views():
    """A function with a rule whose result is a view of its argument shares its elements with it."""

    def f(x):
        y = np.sin(x)
        np.linalg.matrix_transpose(y)[0] = 2.0
        return np.sum(y)

    gradient = np.cos(MATRIX)
    gradient[:, 0] = 0.0
    np.testing.assert_array_equal(grad(f)(MATRIX), gradient)


def test_views_outlive_the_differentiation():
    """They can be read and written once the array is a constant."""

    def f(x):
        y = np.sin(x)
        return y, y[1]

    y, row = while_traced(MATRIX, f)
    y[1] = 3.0
    row[0] = 4.0
    np.testing.assert_array_equal(*while_plain(row, np.array([4.0, 3.0, 3.0])))
    np.testing.assert_array_equal(*while_plain(y[1], row))


def kept_by_an_inner_differentiation(x, use):
    """What `use` makes of arrays and views that outlive a differentiation inside another."""
    kept = []

    def inner(z):
        y = np.outer(z, np.sin(z))
        y[0] = z
        y[1, 2] = z[0] * z[1]
        kept.extend([y, y[1], y.T.flat])
        y[2] = np.cos(z)  # waits to be written when the differentiation ends
        return np.sum(z)

    grad(inner)(x)
    return np.sum(use(*kept) * np.cos(x))


@pytest.mark.parametrize("name", KEPT_AND)
def test_arrays_that_outlive_an_inner_differentiation(name):
    """They are still traced by the outer one, share their elements, and are read with their last values."""

    def by_hand(x):
        y = np.outer(x, np.sin(x))
        y[0] = x
        y[1, 2] = x[0] * x[1]
        row = y[1]
        y[2] = np.cos(x)
        return np.sum(KEPT_AND[name](y, row, y.T.flat) * np.cos(x))

    def f(x):
        return kept_by_an_inner_differentiation(x, KEPT_AND[name])

    x = np.array([0.3, -0.7, 1.1])
    expected = grad(by_hand)(x)
    np.testing.assert_allclose(grad(f)(x), expected)
    np.testing.assert_allclose(jvp(f, (x,), (x,))[1], expected @ x)


def test_conversions_that_change_nothing_return_the_array_itself():
    """In nested differentiations too, so that it is seen what is written into the array."""

    def program(x, fill):
        y = np.sin(x)
        same = [y.astype(float, copy=False), np.squeeze(y), np.real(y), np.atleast_1d(y)]
        y *= x
        return sum(np.sum(np.sin(z) * y) for z in same)

    check_program(program, np.array([0.3, -0.7, 1.1]))


def test_forwards():
    """The tangent of a view follows the array."""

    def f(x):
        y = x * 1.0
        row = y[0]
        y *= x
        row[1] = row[0] * 3.0
        return y, row

    (_, row), (y_dot, row_dot) = jvp(f, (MATRIX,), (np.ones((2, 3)),))

    np.testing.assert_allclose(row, [0.25, 0.75, 6.25])
    np.testing.assert_allclose(row_dot, [1.0, 3.0, 5.0])
    np.testing.assert_allclose(y_dot, [[1.0, 3.0, 5.0], 2 * MATRIX[1]])


def test_arguments_that_are_views_of_one_array():
    """A result is a view of the argument that it came from, and not of the other."""
    both = MATRIX.copy()

    def f(x, y):
        z = np.reshape(y, (3,))
        z[0] = 5.0
        return np.sum(x) + np.sum(y)

    y, pullback = vjp(f, both[0], both[1])
    assert y == np.sum(MATRIX) - MATRIX[1, 0] + 5.0
    np.testing.assert_array_equal(pullback(1.0), [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])


def test_the_array_of_a_view():
    """As in NumPy: the array that owns the elements, also for a view of a view; a copy has none."""

    def f(x):
        y = np.reshape(x * 1.0, (2, 3))
        assert y[0].base is y.base
        assert y[0][1:].base is y.base
        assert (y + 1).base is None
        y[0].base[0] = 7.0
        return np.sum(y)

    assert f(np.arange(6.0)) == 22.0
    np.testing.assert_array_equal(grad(f)(np.arange(6.0)), [0.0, 1, 1, 1, 1, 1])


def test_arrays_that_are_handed_out():
    """What depends on nothing is written into a copy when others may keep the array, a view's too."""
    x = fillable(np.zeros((2, 3)))
    given = plain_array(x), plain_array(x[1])
    x[1, 0] = 5.0

    assert [array.tolist() for array in given] == [np.zeros((2, 3)).tolist(), [0.0, 0.0, 0.0]]
    assert primal_of(x)[1, 0] == 5.0
    assert plain_array(x)[1, 0] == 5.0


def test_functions_with_rules_that_return_a_view():
    """It has the derivative of the rule, and is refused once the array was written into."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(tail(x)))(MATRIX), 0.0 * MATRIX)

    def f(x):
        y = 1.0 * x
        end = tail(y)
        y[1] = 0.0
        return np.sum(end)

    with pytest.raises(TypeError, match=r"tail has a rule, and returned its own argument or a view"):
        grad(f)(MATRIX)


@pytest.mark.parametrize(
    "x", [MATRIX, Diagonal(MATRIX[0]), csr_array(MATRIX)], ids=lambda x: type(x).__name__
)
def test_functions_with_rules_that_return_their_argument(x):
    """The derivative is that of the rule; an array is refused once one of the two was written into."""
    (x_bar,) = vjp(scaled, x)[1](x)
    assert type(x_bar) is type(x)
    np.testing.assert_array_equal(np.ravel(np.asarray((x_bar - 100.0 * x).sum())), [0.0])
    for into in (0, 1):

        def f(x, into=into):
            y = 1.0 * x
            pair = y, scaled(y)
            pair[into][0] = 0.0
            return np.sum(pair[1])

        with pytest.raises(TypeError, match=r"scaled has a rule, and returned its own argument.*x\.copy"):
            grad(f)(MATRIX)


def windows(x, fill):
    """Views that NumPy's `stride_tricks` makes; none is written into."""
    y = np.sin(x)
    view = sliding_window_view(y, 2)
    before = np.sum(view * view[::-1])
    y *= x
    with pytest.raises(ValueError, match="read-only"):
        view[0, 1] = 2.0
    return before * view[0, 1] + view[1, 1] * view[1, 0]


def broadcast_rows(x, fill):
    """Two rows of one array, each a view of its own."""
    a = np.outer(x, x)
    whole, row = np.broadcast_arrays(a[1:], a[0])
    a[1] *= 2.0
    first = np.sum(whole * row)
    a[0] += x
    return first + np.sum(np.sin(whole) * row)


@pytest.mark.parametrize("program", [windows, broadcast_rows])
def test_views_by_their_place_in_memory(program):
    """Each shows the elements that NumPy's would show."""
    check_program(program, np.array([0.3, -0.7, 1.1]))


@pytest.mark.parametrize("is_frozen", [False, True])
@pytest.mark.parametrize(
    ("way", "is_writeable"),
    [
        (lambda x: x[0], True),
        (lambda x: x.T, True),
        (lambda x: np.broadcast_to(x, (2, 2, 3)), False),
        (lambda x: np.broadcast_to(x, (1, 2, 3)), False),
        (lambda x: sliding_window_view(x, 2, 1), False),
    ],
)
def test_which_views_are_written_into(way, is_writeable, is_frozen):
    """Those that NumPy would write into, if the argument were the program's own; it stays what it was."""
    own = MATRIX.copy()
    own.flags.writeable = not is_frozen

    def write(x):
        way(x)[...] = 7.0
        return np.sum(x)

    (_, flags), _ = value_and_grad(lambda x: (np.sum(x), way(x).flags), has_aux=True)(own)
    assert (flags.writeable, flags.c_contiguous) == (is_writeable, way(own).flags.c_contiguous)
    if is_writeable:
        assert grad(write)(own).shape == own.shape
    else:
        with pytest.raises(ValueError, match="read-only"):
            grad(write)(own)
    np.testing.assert_array_equal(own, MATRIX)


def traced_array(x):
    """A traced array of a differentiation that runs."""
    return traced(x, ReverseTrace(), input_node)[0]


def test_common_results_are_shown_at_once():
    """Numbers and new arrays of NumPy's functions, items and slices, and what is no array at all."""
    x, number, new = traced_array(MATRIX), traced_array(2.0), traced_array(MATRIX.copy())
    for f, y in ((np.add, number), (np.add, new), (np.sum, number), (np.add, "text")):
        assert set(functions_run_by(lambda f=f, y=y: as_view(f, (x, x), None, y))) == {"as_view"}
        assert as_view(f, (x, x), None, y) is y
    row = traced_array(MATRIX[0])
    assert set(functions_run_by(lambda: item(x, 0, row))) == {"item", "view"}
    assert snapshot(number) is number
    assert snapshot(x) is not x


def test_what_is_handed_on_is_found():
    """In any argument and container, beside what holds nothing and what holds itself."""
    x = traced_array(MATRIX)
    y = TracedValue()
    y._value, y._record, y._trace = x._value, x._record, x._trace
    circle: list = [1.0]
    circle.append(circle)
    holding: list = [circle, x]
    holding.append(holding)
    for held in (x, [x], {"a": (2.0, x)}, [circle, [x]], holding):
        assert as_view(max, (object(), 3.0, "text", [object()], circle, held), None, y) is x
    assert as_view(max, (object(), circle, [2.0]), None, y) is y


class Model:
    """An instance of an ordinary class."""

    def __init__(self, a):
        self.a = a


def test_arrays_of_ones_own():
    """Arrays in containers and instances are copies; what holds no array is itself."""
    array, x = MATRIX.copy(), traced_array(MATRIX)
    circle: list = [array]
    circle.append(circle)
    own = with_own_arrays({"a": (array, 2), "b": [x], "c": Model(array)})
    for copy in (own["a"][0], own["c"].a):
        assert copy is not array
        np.testing.assert_array_equal(copy, array)
    assert own["b"][0] is not x
    assert own["b"][0]._value is x._value
    for y in ([1.0, "text"], {"a": (2.0,)}, 3.0, Model(2.0)):
        assert with_own_arrays(y) is y
    (copy, again) = with_own_arrays(circle)
    assert copy is not array
    assert again is circle
