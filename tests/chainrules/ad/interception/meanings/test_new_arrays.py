"""Plain arrays that intercepted code makes can be filled; programs that nobody wrote for differentiation."""

import math
import types

import numpy as np
import pytest
from scipy._lib._array_api import array_namespace

from chainrules.ad import grad, interception, value_and_grad
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.meanings.new_arrays import choose_for_new
from tests.chainrules.ad.interception import (
    programs_as_people_write_them,
    programs_that_fill_arrays,
    programs_that_share_arrays,
    programs_that_simulate,
)
from tests.chainrules.ad.writing.programs import check_program
from tests.python_calls import functions_run_by

X = np.array([1.0, 2.0, 3.0])

PROGRAMS = {
    name: program
    for module in (
        programs_as_people_write_them,
        programs_that_fill_arrays,
        programs_that_share_arrays,
        programs_that_simulate,
    )
    for name, program in vars(module).items()
    if isinstance(program, types.FunctionType) and program.__module__ == module.__name__
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    """Values are those of the plain program; both modes and second derivatives agree with differences."""
    program = PROGRAMS[name]
    check_program(lambda x, fill: program(x), X)


def test_arrays_of_others_are_not_written_into():
    """A plain array that the program was given cannot hold a derivative: an error says so."""
    given = np.zeros(3)

    def f(x):
        y = given
        y[0] = x[0]
        return np.sum(y)

    def g(x):
        y = np.asarray(given)
        y += x
        return np.sum(y)

    for program in (f, g):
        with pytest.raises((TypeError, ValueError)):
            grad(program)(X)
    np.testing.assert_array_equal(given, np.zeros(3))


def test_what_is_assigned_by_a_function_of_the_users_stays():
    """Somebody else may hold it."""
    held = np.zeros(3)

    def get():
        return held

    def f(x):
        y = get()
        y[0] = 2.0
        return np.sum(y * x)

    def of_traced(x):
        y = get()
        y[0] = x[0]
        return np.sum(y)

    with pytest.raises((TypeError, ValueError)):
        grad(of_traced)(X)
    value, gradient = value_and_grad(f)(X)
    assert value == 2.0
    np.testing.assert_array_equal(gradient, [2.0, 0.0, 0.0])
    np.testing.assert_array_equal(held, [2.0, 0.0, 0.0])


def test_not_intercepted():
    """Then arrays stay plain."""

    def f(x):
        y = np.zeros(3)
        y[0] = 2.0
        assert type(y) is np.ndarray
        return np.sum(y * x)

    with interception(False):
        np.testing.assert_array_equal(grad(f)(X), [2.0, 0.0, 0.0])


def test_views_of_arrays_of_others():
    """A slice of somebody's array is a view, and is not written into."""
    given = np.ones((3, 3))

    def f(x):
        y = given[:2]
        y[0] = x
        return np.sum(y)

    def g(x):
        y = np.reshape(given, -1)
        y[:3] = x
        return np.sum(y)

    for program in (f, g):
        with pytest.raises((TypeError, ValueError)):
            grad(program)(X)
    np.testing.assert_array_equal(given, np.ones((3, 3)))


def test_results_of_other_operators_stay():
    """What the operators of an object return may be held by the object."""

    class Holder:
        array = np.zeros(3)

        def __add__(self, other):
            return self.array

    def f(x):
        y = Holder() + Holder()
        y[0] = x[0]
        return np.sum(y)

    with pytest.raises((TypeError, ValueError), match=r"traced value|setting an array element"):
        grad(f)(X)
    np.testing.assert_array_equal(Holder.array, np.zeros(3))


GIVEN = np.arange(3.0)


def by_method(x):
    """A program."""
    y = GIVEN.copy()
    y[0] = x[0]
    return np.sum(y * x)


def by_function_in_python(x):
    """A program."""
    y = np.hamming(3)
    y[1] = x[0]
    return np.sum(y * x)


def by_random_numbers(x):
    """A program."""
    y, z = np.random.default_rng(0).normal(size=3), np.random.RandomState(0).uniform(-1.0, 1.0, (2, 3))
    y[0] = x[1]
    z *= x
    z[1] -= 0.1 * y
    return np.sum(y * z)


def by_array_namespace(x):
    """A program."""
    xp = array_namespace(x)
    y, z = xp.empty(3), xp.ones((3, 2))
    y[()] = x
    z[0, :] = xp.zeros_like(x)[:2] + y[1:]
    return xp.sum(y * x) * xp.prod(z)


def by_sign(x):
    """A program."""
    y, z, mask = -GIVEN, +GIVEN, ~(GIVEN > 1.0)
    y[0], z[1], mask[1] = x[0], x[1] * x[2], False
    return np.sum(y * x) + np.sum(z[mask] * x[mask])


def by_copies_for_others(x):
    """A program, whose functions write into copies that they are handed."""

    def filled(y, v):
        y[0] = v
        return np.sum(y * x)

    of_names = {"a": 1.0}.copy()
    sums = [filled(GIVEN.copy(), x[0] * of_names["a"]), filled(v=x[1], y=GIVEN.copy())]
    sums.append(filled(np.ones((2, 3)).copy()[1], x[1]))
    return sum(sums)


def by_views(x):
    """A program, which writes into rows and columns of arrays that it made."""
    y, z, w = np.outer(GIVEN, GIVEN), np.outer(GIVEN, GIVEN + 1.0), np.diag(GIVEN)
    for row in y:
        row *= x
    for i, (column, given) in enumerate(zip(z.T, GIVEN, strict=True)):
        column[i] = x[i] * given
    last = w[:2]
    corner = last[1]
    corner[0] = x[0]
    return np.sum(y * y) + np.sum(z * y) + np.sum(w * z)


@pytest.mark.parametrize(
    "program",
    [
        *(by_method, by_function_in_python, by_random_numbers, by_array_namespace, by_sign, by_copies_for_others),
        by_views,
    ],
)
def test_other_ways_to_new_arrays(program):
    """Methods of arrays, and functions of NumPy that are written in Python, make arrays too."""
    check_program(lambda x, fill: program(x), X)


def test_what_makes_arrays_is_made_once():
    """For each function of NumPy; for what makes none it is what is called anywhere."""
    assert choose_for_new(np.exp) is choose_for_new(np.exp)
    assert choose_for_new(np.zeros) is choose(np.zeros)
    assert choose_for_new(math.sin) is choose(math.sin)
    assert set(functions_run_by(lambda: choose_for_new(np.exp))) == {"choose_for_new", "choose"}


@pytest.mark.parametrize(
    "view_of",
    [
        lambda a: a.reshape(6),
        lambda a: a.ravel(),
        lambda a: a.swapaxes(0, 1),
        lambda a: a.T.reshape(3, 2),
        lambda a: a.squeeze(),
        lambda a: a.view(),
        lambda a: a.astype(float, copy=False),
        lambda a: a.__array__(),
        lambda a: np.ma.array(a, copy=False).filled(),
    ],
)
def test_a_view_by_a_method_is_no_new_array(view_of):
    """What is written into a view of an array from outside is written into that."""
    buffer = np.arange(6.0).reshape(2, 3)

    def program(x):
        y = view_of(buffer)
        y[0] = 9.0
        return x * np.sum(buffer)

    before = np.sum(buffer)
    derivative = grad(program)(1.0)
    assert derivative == np.sum(buffer) > before
