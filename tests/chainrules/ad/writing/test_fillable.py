"""Plain arrays that traced values may be written into."""

import pickle

import numpy as np
import pytest

from chainrules.ad import TracedValue, call, grad, interception, vjp
from chainrules.ad.traced.views import TracedView
from chainrules.ad.writing.fillable import CONSTANTS, fillable, own_array
from chainrules_core import primal_of, rrule, typeof_
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.writing.programs import X


def test_they_compute_as_plain_arrays():
    """New arrays of NumPy can be filled too; numbers, and results of other functions, are plain."""
    a = fillable(np.ones((2, 2)))
    a[0] += 3.0

    assert all(type(y) is TracedValue and y._trace is CONSTANTS for y in (a @ a, a + 1, np.sin(a), a.copy()))
    assert type(a > 1) is np.ndarray
    with interception(False):
        assert type(call(lambda x: np.ones(2), a)) is np.ndarray
    assert type(np.sum(a)) is np.float64
    assert type(a[0, 0]) is np.float64
    assert a.shape == (2, 2)
    assert repr(a) == "TracedValue(array([[4., 4.],\n       [1., 1.]]), constant, level 1)"
    np.testing.assert_array_equal(np.asarray(a), [[4.0, 4.0], [1.0, 1.0]])
    assert np.array(a, copy=True) is not np.asarray(a)
    assert float(fillable(np.array(2.5))) == 2.5
    assert int(fillable(np.array(2.5))) == 2
    assert complex(fillable(np.array(2.5))) == 2.5


@pytest.mark.parametrize("y", [3.0, np.arange(3), "text", [1.0], np.array(["a"]), None])
def test_other_values_stay(y):
    """Only arrays of real and complex numbers can receive traced values."""
    assert fillable(y) is y


def test_memory_that_others_hold_is_copied():
    """A view of somebody's array is not written into."""
    owner = np.zeros(4)
    a = fillable(owner[1:])
    a[0] = 1.0

    np.testing.assert_array_equal(owner, np.zeros(4))


def test_they_are_no_inputs():
    """A function that is differentiated by one sees a plain array, and leaves it."""
    a = fillable(X.copy())

    def f(x):
        x *= x
        return np.sum(x)

    _, pullback = vjp(f, a)
    np.testing.assert_array_equal(pullback(1.0)[0], 2 * X)
    np.testing.assert_array_equal(primal_of(a), X)


def test_as_results():
    """The caller gets a plain array."""
    y, _ = vjp(lambda x: (fillable(np.zeros(2)), x), X)

    assert type(y[0]) is np.ndarray
    y[0][0] = 1.0


def test_containers_of_them():
    """Functions with rules take them in containers."""
    rows = [fillable(np.ones(3)), fillable(np.zeros(3))]
    np.testing.assert_array_equal(np.stack(rows), [np.ones(3), np.zeros(3)])

    def f(x):
        return np.sum(np.stack([*rows, x]) ** 2)

    np.testing.assert_array_equal(grad(f)(X), 2 * X)
    assert CONSTANTS.record_of_container(rows, []) is not None


def test_plain_arrays_take_their_values():
    """Nothing is traced that would be lost."""
    y, total = fillable(np.arange(3.0)), np.ones(3)
    total += y
    np.multiply(total, y, out=total)
    np.sum(y, out=(z := np.zeros(())))
    y[0] = 7.0

    np.testing.assert_array_equal(total, [0.0, 2.0, 6.0])
    assert z == 3.0
    with pytest.raises(TypeError, match="same_kind"):
        np.add(y, 1.0, out=np.zeros(3, int))


def test_methods_without_rules_are_those_of_the_value():
    """There is no derivative to lose, except by what shares memory."""
    y = fillable(np.arange(3.0))
    assert y.tolist() == [0.0, 1.0, 2.0]
    assert y.strides == (8,)
    assert type(pickle.loads(pickle.dumps(y))) is np.ndarray
    for name in ("resize", "data"):
        with pytest.raises(AttributeError, match=f"x.{name}"):
            getattr(y, name)


def test_locks():
    """A lock changes no value or derivative; whether an array can be opened is not known."""

    def locked(x):
        y = 2.0 * x
        y.setflags(write=False)
        return np.sum(y * y)

    np.testing.assert_allclose(grad(locked)(np.arange(3.0)), 8.0 * np.arange(3.0))
    with pytest.raises(AttributeError, match="setflags"):
        grad(lambda x: x.setflags(write=True))(np.arange(3.0))


# --- Beside arrays that depend on nothing --------------------------------------------------------------


def filled(*elements):
    """Make an array that can be filled, in intercepted code."""
    a = np.zeros(len(elements))
    a[:] = elements
    return a


BESIDE_CONSTANTS = {
    "operator": lambda x: np.sum(filled(1.0, 2.0, 3.0) * x - x / filled(4.0, 5.0, 6.0)),
    "ufunc": lambda x: np.sum(np.hypot(filled(1.0, 2.0, 3.0), x) * np.arctan2(x, filled(4.0, 5.0, 6.0))),
    "view": lambda x: np.sum(np.maximum(x[1:], filled(0.5, -2.0)) @ np.outer(filled(1.0, 2.0), x[:-1])),
    "function of two": lambda x: np.dot(filled(1.0, 2.0, 3.0), x) * np.dot(x, filled(4.0, 5.0, 6.0)),
    "function of three": lambda x: np.sum(np.where(x > 0.0, x**2, filled(1.0, 2.0, 3.0)) * x),
    "constant last": lambda x: np.sum(np.clip(x, filled(-1.0, -1.0, 0.1), filled(2.0, 0.5, 5.0)) * x),
    "keywords": lambda x: np.sum(np.cross(x, filled(1.0, 2.0, 3.0), axis=0) * x[::-1]),
    "lists": lambda x: np.sum(np.interp(x, [-3.0, 0.0, 3.0], filled(1.0, 5.0, 2.0)) * x),
}


@pytest.mark.parametrize("name", BESIDE_CONSTANTS)
def test_beside_arrays_that_can_be_filled(name):
    """Gradients, and those of functions of gradients, are those of differences."""
    f, x = BESIDE_CONSTANTS[name], np.array([0.3, -1.4, 0.7])
    (expected,) = grad_by_differences(None, f, x)
    np.testing.assert_allclose(grad(f)(x), expected, rtol=1e-8, atol=1e-9)

    def weighted(x):
        return np.sum(filled(1.0, -2.0, 0.5) * grad(lambda y: f(y * x) + f(y))(x))

    (expected,) = grad_by_differences(None, weighted, x)
    np.testing.assert_allclose(grad(weighted)(x), expected, rtol=1e-6, atol=1e-8)


def test_three_differentiations_in_one_call():
    """Values of two differentiations, and an array that depends on neither."""

    def inner(x):
        def g(y):
            return np.sum(np.where(y > x, y * x, filled(1.0, 2.0)) * np.clip(y, filled(0.0, 0.0), x))

        return grad(g)

    def f(x):
        return np.sum(inner(x)(2.0 * x) * filled(1.0, 3.0))

    x = np.array([0.6, 0.8])
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-7)


def test_an_operand_that_is_written_into_afterwards():
    """The gradient is that of the elements that the operation saw."""

    def f(x):
        a = filled(2.0, 3.0)
        y = a * x + np.where(x > 0.0, a, x)
        z = np.multiply(a, y)
        a[0] = 50.0
        return np.sum(y * z) + np.sum(a)

    x = np.array([0.5, 0.25])
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-7)


def write_and_add(a, x):
    """A function with a rule for numbers only."""
    a[0] = x[0]
    return a + x


@rrule.dispatch
def write_and_add_rrule(f: typeof_(write_and_add), a: float, x: float):
    """Refuse to be called."""
    raise AssertionError


def test_a_body_writes_into_the_array_itself():
    """Where no rule takes the call, the function is entered with the arrays that it was given."""

    def f(x):
        a = filled(2.0, 3.0)
        y = write_and_add(a, x)
        return np.sum(y * a)

    x = np.array([0.5, 0.25])
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-7)


def test_whose_memory_a_result_is_in():
    """A view of a new array belongs to nobody else; what shares memory, or may, belongs to somebody."""
    x = np.arange(6.0)
    new = np.roll(x, 1)
    own = own_array(np.roll, new, (x, 1), None)
    np.testing.assert_array_equal(own, new)
    assert not np.may_share_memory(own, x)

    assert own_array(np.asarray, x, (x,), None) is None
    assert own_array(np.asarray, x, (), {"a": x}) is None
    assert own_array(np.asarray, x[1:], (x,), None) is None
    assert own_array(np.asarray, x.reshape(2, 3), (), {"a": x}) is None
    assert own_array(np.asarray, np.broadcast_to(x, (2, 6)), (x,), None) is None
    assert own_array(np.asarray, x[1:], ([x],), None) is None  # a list may hold anything
    assert own_array(np.asarray, 2.0, (x,), None) is None
    assert own_array(np.asarray, x, (2.0,), None) is x


def test_constants_depend_on_no_differentiation():
    """They began before all others, and do not end."""
    assert CONSTANTS.number == -1
    assert not CONSTANTS.has_ended
    assert CONSTANTS.is_constant
    assert not CONSTANTS.observers


def test_results_in_tuples():
    """Views can be filled as the array can; what is new is a plain array, and somebody else's stays."""
    y = fillable(np.eye(2))
    assert [type(part) for part in np.modf(y)] == [np.ndarray, np.ndarray]
    whole, other = np.broadcast_arrays(y, np.ones((3, 2, 2)))
    assert isinstance(whole, TracedView)
    assert type(other) is np.ndarray
    first, second = np.split(y, 2)
    first[0, 1], second[0, 1] = 3.0, 4.0
    np.testing.assert_array_equal(primal_of(y), [[1.0, 3.0], [0.0, 4.0]])


class Holder:
    """An object that hands out the array that it holds."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


def test_an_array_that_an_object_hands_out_is_no_new_one():
    """`np.asarray` returns the very array, `np.sin` another one."""
    array = np.ones(2)
    holder = Holder(array)
    assert own_array(np.asarray, array, (holder,), None) is None
    assert own_array(np.array, array, (holder,), {"copy": None}) is None
    for f, kwargs in ((np.array, None), (np.array, {"dtype": float}), (np.sin, None)):
        assert own_array(f, array, (holder,), kwargs) is array

    def program(x):
        np.asarray(holder)[0] = 5.0
        return np.sum(x * array)

    assert grad(program)(1.0) == 6.0


def test_imaginary_parts_of_constants():
    """NumPy's zeros, which nobody may write into, are zeros in arrays and products too."""

    def f(x):
        y = np.full((2, 2), 3.0)
        y[:, 1] = np.imag(np.array([1.0, 2.0]))
        return np.sum(x * y + x * np.array([1.0, 2.0]).imag)

    np.testing.assert_array_equal(grad(f)(np.ones((2, 2))), [[3.0, 0.0], [3.0, 0.0]])
