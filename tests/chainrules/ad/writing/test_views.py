"""Views of traced arrays are those of NumPy: what shares memory there, shares elements here."""

import copy

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules.ad import grad, jvp, vjp
from chainrules.ad.writing.fillable import fillable
from chainrules.ad.writing.views import exported
from chainrules_core import NoTangent, primal_of, primitive, rrule, typeof_
from chainrules_core.structured import Diagonal
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.ad.writing.programs import check_program

MATRIX = np.arange(6.0).reshape(2, 3) + 0.5

# Ways to get an array from another one; NumPy says which of them are views.
WAYS = {
    "x[1]": lambda x: x[1],
    "x[1:]": lambda x: x[1:],
    "x[::-1, 1]": lambda x: x[::-1, 1],
    "x[...]": lambda x: x[...],
    "x[None]": lambda x: x[None],
    "x[[0, 1]]": lambda x: x[[0, 1]],
    "x[x > 2]": lambda x: x[x > 2],
    "x.T": lambda x: x.T,
    "x.mT": lambda x: x.mT,
    "x.T.T": lambda x: x.T.T,
    "x.real": lambda x: x.real,
    "x.reshape(-1)": lambda x: x.reshape(-1),
    "x.T.reshape(-1)": lambda x: x.T.reshape(-1),
    "x.ravel()": lambda x: x.ravel(),
    "x.T.ravel()": lambda x: x.T.ravel(),
    "x.T.ravel('F')": lambda x: x.T.ravel("F"),
    "x.flatten()": lambda x: x.flatten(),
    "x.copy()": lambda x: x.copy(),
    "x.squeeze()": lambda x: x.squeeze(),
    "x.swapaxes(0, 1)": lambda x: x.swapaxes(0, 1),
    "x.transpose(1, 0)": lambda x: x.transpose(1, 0),
    "x.diagonal()": lambda x: x.diagonal(),
    "x.astype(float)": lambda x: x.astype(float),
    "x.astype(float, copy=False)": lambda x: x.astype(float, copy=False),
    "x.take([0], 0)": lambda x: x.take([0], 0),
    "next(iter(x))": lambda x: next(iter(x)),
    "list(x)[1]": lambda x: list(x)[1],
    "copy.copy(x)": copy.copy,
    "copy.deepcopy(x)": copy.deepcopy,
    "np.array(x)": lambda x: np.array(x, like=x),
    "np.copy": np.copy,
    "np.atleast_1d": np.atleast_1d,
    "np.atleast_2d": np.atleast_2d,
    "np.atleast_3d": np.atleast_3d,
    "np.broadcast_to": lambda x: np.broadcast_to(x, (2, 2, 3)),
    "np.diagonal": np.diagonal,
    "np.expand_dims": lambda x: np.expand_dims(x, 1),
    "np.flip": np.flip,
    "np.fliplr": np.fliplr,
    "np.flipud": np.flipud,
    "np.imag": lambda x: np.imag(x * 1j),
    "np.matrix_transpose": np.linalg.matrix_transpose,
    "np.moveaxis": lambda x: np.moveaxis(x, 0, 1),
    "np.nan_to_num": np.nan_to_num,
    "np.permute_dims": lambda x: np.transpose(x, (1, 0)),
    "np.ravel": np.ravel,
    "np.real": np.real,
    "np.repeat": lambda x: np.repeat(x, 1, 0),
    "np.reshape": lambda x: np.reshape(x, (3, 2)),
    "np.roll": lambda x: np.roll(x, 1),
    "np.rollaxis": lambda x: np.rollaxis(x, 1),
    "np.rot90": np.rot90,
    "np.sort": np.sort,
    "np.split": lambda x: np.split(x, 2)[1],
    "np.array_split": lambda x: np.array_split(x, 2, axis=1)[1],
    "np.hsplit": lambda x: np.hsplit(x, 3)[0],
    "np.squeeze": np.squeeze,
    "np.swapaxes": lambda x: np.swapaxes(x, 0, 1),
    "np.tile": lambda x: np.tile(x, 1),
    "np.transpose": np.transpose,
    "np.trim_zeros": lambda x: np.trim_zeros(x[0]),
    "np.tril": np.tril,
    "np.where": lambda x: np.where(x > 0, x, 0.0),
    "np.concatenate": lambda x: np.concatenate([x]),
    "np.stack": lambda x: np.stack([x])[0],
    "+x": lambda x: +x,
    "x * 1": lambda x: x * 1,
    "np.positive": np.positive,
    "np.conjugate": np.conjugate,
    "np.maximum": lambda x: np.maximum(x, -1.0),
    "np.clip": lambda x: np.clip(x, -100, 100),
    "np.round": lambda x: np.round(x, 20),
    "np.cumsum": lambda x: np.cumsum(x, axis=0),
}


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


KEPT_AND = {
    "read": lambda y, row, flat: y @ row + flat[:3],
    "read by index": lambda y, row, flat: y[2] * y[1:, 0][0] + y[2, 1] * y.T[0] * y[1].T,
    "written": lambda y, row, flat: (y.__setitem__(1, 2.0 * y[0]), row * flat[2:5])[1],
    "views are written": lambda y, row, flat: (
        row.__setitem__(0, y[0, 0] ** 2),
        y[1:].__imul__(3.0),
        np.reshape(y, 9)[5:].__imul__(flat[1]),
        row * y[2],
    )[-1],
}


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
    given = exported(x), exported(x[1])
    x[1, 0] = 5.0

    assert [array.tolist() for array in given] == [np.zeros((2, 3)).tolist(), [0.0, 0.0, 0.0]]
    assert primal_of(x)[1, 0] == 5.0
    assert exported(x)[1, 0] == 5.0


@primitive
def scaled(x):
    """A function that returns its argument, and says that the derivative is 100 times as large."""
    return x


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: object):
    """Scale the cotangent."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


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
