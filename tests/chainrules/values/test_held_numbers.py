"""The numbers that closures, objects and containers hold, as vectors."""

import math
import types

import numpy as np
import pytest
import scipy
from scipy.optimize import elementwise

from chainrules.ad import grad, jvp
from chainrules.values.held_numbers import (
    as_vector,
    check_of_changes,
    cotangent_with,
    from_vector,
    noted_call,
    part_at,
    places_in,
)
from chainrules_core import NoDerivativeError, NotImplementedTangent, Tangent, ZeroTangent, not_implemented


def closure(p, q, count):
    """A function that holds its arguments."""
    return lambda t: p * t + q[0] + count


F = closure(np.array([1.0, 2.0]), (1.0 + 2.0j, "text"), 3)


def test_places():
    """Floating point and complex numbers have places; whole numbers and text have none."""
    assert [(place.path, place.size) for place in places_in(F)] == [(("p",), 2), (("q", 0), 2)]
    assert places_in(np.sin) == []


def test_there_and_back():
    """A cotangent is a vector of real numbers, and is made of it again."""
    places = places_in(F)
    f_bar = Tangent[type(F)](q=Tangent[tuple](3.0 - 1.0j, ZeroTangent()))
    vector = as_vector(f_bar, places)
    np.testing.assert_array_equal(vector, [0.0, 0.0, 3.0, -1.0])
    parts = {
        places[0].path: from_vector(vector[:2], places[0]),
        places[1].path: from_vector(vector[2:], places[1]),
    }
    made = cotangent_with(F, f_bar, parts)
    np.testing.assert_array_equal(made.p, [0.0, 0.0])
    assert made.q[0] == 3.0 - 1.0j


def test_what_is_not_implemented():
    """It stays so where a sample says it; parts that a cotangent does not mention are zero."""
    sample = Tangent[type(F)](p=not_implemented("for this test"))
    assert isinstance(cotangent_with(F, sample, {("p",): 1.0}).p, NotImplementedTangent)
    assert part_at(sample, ("q", 0)) == ZeroTangent()
    assert cotangent_with(F, sample, {}).q == ZeroTangent()


@pytest.mark.parametrize("change", ["a", "b", "c", "d", "nothing"])
def test_changes_are_refused(change):
    """Items, attributes, arrays and variables; numbers that are NaN have not changed."""

    class Owner:
        k = 1

    owner, array, variable = Owner(), np.ones(3), 2.0
    owner.k, items = 1, {"x": [1, math.nan]}

    def f(t, default=array):
        return t * owner.k * items["x"][0] * default[0] * variable

    check = check_of_changes((f, 3.0), "foo")
    if change == "nothing":
        check()
        return
    if change == "a":
        owner.k = 2
    elif change == "b":
        items["x"][0] = 2
    elif change == "c":
        array[1] = 2.0
    else:
        variable = 3.0
    with pytest.raises(NoDerivativeError, match="foo: what its function holds was changed"):
        check()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (np.zeros(3), -np.zeros(3)),
        (np.array(1.0), np.array(2.0)),
        (np.ones((2, 3), order="F") * 1j, np.ones((2, 3)) * 2j),
        (np.array(["a", "b"]), np.array(["a", "c"])),
        (np.array([b"a", b"b\0c"]), np.array([b"a", b"b"], dtype="S3")),
        (np.array([False, True]), np.array([True, True])),
        (np.longdouble([1.0]), np.longdouble([1.0]) + np.finfo(np.longdouble).eps),
    ],
    ids=str,
)
def test_arrays_are_compared_bit_by_bit(before, after):
    """Whatever they hold; what is in another order in memory is the same."""
    array = before.copy()
    check = check_of_changes(array, "foo")
    check()
    array[...] = after
    with pytest.raises(NoDerivativeError, match="foo: what its function holds was changed"):
        check()


def test_slots():
    """Attributes in slots are compared, as those in a dict are."""

    class Slotted:
        __slots__ = ("a", "b")

    x = Slotted()
    x.a = 1.0
    check = check_of_changes(x, "foo")
    check()
    x.b = 2.0
    with pytest.raises(NoDerivativeError, match="foo: what its function holds was changed"):
        check()


def memo_in_dict(known):
    """Keep a value under a name."""

    def f(x):
        if "k" not in known:
            known["k"] = np.exp(x)
        return known["k"] * x

    return f


def last_value(last):
    """Keep the latest argument and value in the places of a list."""

    def f(x):
        last[:] = [x, math.exp(x)]
        return last[1]

    return f


def memo_in_attribute(owner):
    """Keep a value in an attribute."""

    def f(x):
        owner.k = np.exp(np.ones(2) * x)
        return owner.k[0]

    return f


@pytest.mark.parametrize(
    "f", [memo_in_dict({}), last_value([None, None]), memo_in_attribute(types.SimpleNamespace())]
)
def test_stored_numbers_are_refused(f):
    """The derivative would read them, as constants."""
    with pytest.raises(NoDerivativeError, match="foo: its function stored a number that it computed, under"):
        noted_call(f, "foo", f, 2.0)


def test_logs_and_counters():
    """A list may grow, and whole numbers may change; the values are those of the call."""
    log, count = [0.5], [0]

    def f(x, y):
        log.append(x)
        count[0] += 1
        return x * y

    result, check = noted_call((f, 3.0), "foo", f, 2.0, y=3.0)
    assert (result, log, count) == (6.0, [0.5, 2.0], [1])
    check()


SOLVERS = {
    "quad": lambda f, p: scipy.integrate.quad(lambda t: f(p) * t, 0.0, 1.0)[0],
    "quad_vec": lambda f, p: scipy.integrate.quad_vec(lambda t: f(p) * t, 0.0, 1.0)[0],
    "nquad": lambda f, p: scipy.integrate.nquad(lambda t, s: f(p) * t, [(0.0, 1.0), (0.0, 1.0)])[0],
    "dblquad": lambda f, p: scipy.integrate.dblquad(lambda t, s: f(p) * t, 0.0, 1.0, 0.0, 1.0)[0],
    "solve_ivp": lambda f, p: scipy.integrate.solve_ivp(
        lambda t, y: f(p) * y, (0.0, 1.0), [1.0], t_eval=[1.0]
    ).y[0, 0],
    "odeint": lambda f, p: scipy.integrate.odeint(lambda y, t: f(p) * y, 1.0, [0.0, 1.0])[1, 0],
    "brentq": lambda f, p: scipy.optimize.brentq(lambda x: x - f(p), 0.0, 9.0),
    "minimize": lambda f, p: scipy.optimize.minimize(lambda x: (x[0] - f(p)) ** 2, [0.0]).x[0],
    "least_squares": lambda f, p: scipy.optimize.least_squares(lambda x: x - f(p), [0.0]).x[0],
    "find_root": lambda f, p: elementwise.find_root(lambda x: x - f(p), (0.0, 9.0)).x,
    "derivative": lambda f, p: scipy.differentiate.derivative(lambda x: x * f(p), 0.3).df,
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_refuse_stored_numbers(name):
    """In both modes: a memory of the program's own would make the gradient 0."""
    for derivative in (grad, lambda g: lambda p: jvp(g, (p,), (1.0,))):
        known = {}
        f = memo_in_dict(known)
        with pytest.raises(NoDerivativeError, match="stored a number that it computed, under 'k'"):
            derivative(lambda p, f=f: SOLVERS[name](f, p))(1.1)
