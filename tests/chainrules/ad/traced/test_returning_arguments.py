"""Functions that return what they are given: the derivative is that of their rule."""

import contextvars
import copy
import functools
import itertools
import operator
import subprocess
import sys

import numpy as np
import pytest

from chainrules.ad import call, checkpoint, grad, jvp, vjp
from chainrules.ad.traced.returning_arguments import changes_nothing, returns_its_argument
from chainrules_core import NoTangent, frule, primitive, rrule, typeof_
from tests.chainrules.ad.every_mode import EVERY_MODE
from tests.chainrules.ad.writing.programs import check_program

X = np.array([0.5, 2.0, -1.0])


def scaled(x):
    """A function that returns its argument, and says that the derivative is 100 times as large."""
    return x


@frule.dispatch
def scaled_frule(tangents, f: typeof_(scaled), x: object):
    """Scale the tangent."""
    return x, 100.0 * tangents[1]


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: object):
    """Scale the cotangent."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


def without_first(x):
    """A function that returns a view, and says the same."""
    return x[1:]


@frule.dispatch
def without_first_frule(tangents, f: typeof_(without_first), x: np.ndarray):
    """Scale the tangent."""
    return x[1:], 100.0 * tangents[1][1:]


@rrule.dispatch
def without_first_rrule(f: typeof_(without_first), x: np.ndarray):
    """Scale the cotangent."""
    return x[1:], lambda y_bar: (NoTangent(), np.concatenate([[0.0], 100.0 * y_bar]))


def chosen(constant, x):
    """A function that returns one of its arguments, with the derivative of the other."""
    return constant


@frule.dispatch
def chosen_frule(tangents, f: typeof_(chosen), constant: object, x: object):
    """Take the other tangent."""
    return constant, 100.0 * tangents[2]


@rrule.dispatch
def chosen_rrule(f: typeof_(chosen), constant: object, x: object):
    """Send the cotangent to the other argument."""
    return constant, lambda y_bar: (NoTangent(), NoTangent(), 100.0 * y_bar)


def with_a_filled_constant(x):
    """Give an array that can be written into to a function that returns it."""
    a = np.zeros(3)
    a[:] = 7.0
    return np.sum(chosen(a, x) / a)


@pytest.mark.parametrize("x", [2.0, np.float32(2.0), np.array(2.0), X, np.float32(X)], ids=str)
@pytest.mark.parametrize(
    "f",
    [
        scaled,
        lambda x: scaled(1.0 * x),
        lambda x: call(scaled, x),
        primitive(scaled),
        checkpoint(scaled),
        lambda x: next(map(scaled, [x])),
        lambda x: functools.reduce(chosen, [3.0 * x, x]),
        lambda x: chosen(x, x),
        lambda x: chosen(3.0 * x, x),
    ],
)
def test_rules_of_functions_that_return_their_argument(f, x):
    """The rule is used in both modes, whatever the kind of number or array, and however it is called."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(f(x)))(x), np.full(np.shape(x), 100.0))
    np.testing.assert_array_equal(vjp(f, x)[1](np.ones_like(x))[0], np.full(np.shape(x), 100.0))
    np.testing.assert_array_equal(jvp(f, (x,), (np.ones_like(x),))[1], np.full(np.shape(x), 100.0))


@pytest.mark.parametrize(
    ("f", "gradient"),
    [
        (lambda x: np.sum(without_first(x)), [0.0, 100.0, 100.0]),
        (lambda x: np.sum(without_first(x) * without_first(x)), [0.0, 400.0, -200.0]),
        (lambda x: np.sum(scaled(x) * x), 101.0 * X),
        (lambda x: np.sum(scaled({"x": x}["x"])), [100.0, 100.0, 100.0]),
        (with_a_filled_constant, 100.0 / 7.0),
    ],
)
def test_views_and_constants(f, gradient):
    """The result has the derivative of the rule, and the argument its own."""
    expected = np.broadcast_to(gradient, 3)
    np.testing.assert_allclose(grad(f)(X), expected)
    np.testing.assert_allclose(jvp(f, (X,), (np.ones(3),))[1], np.sum(expected))


@pytest.mark.parametrize("outer", EVERY_MODE)
@pytest.mark.parametrize("inner", EVERY_MODE)
def test_in_nested_differentiations(inner, outer):
    """The rule is used once, by the inner one."""
    assert outer(lambda x: inner(lambda y: scaled(y * y))(x * np.ones(()))[()])(3.0) == 200.0


def written(x):
    """Write into the result."""
    y = 1.0 * x
    z = scaled(y)
    z[0] = 5.0
    return np.sum(z)


def updated(x):
    """Write into all of the result."""
    y = scaled(1.0 * x)
    y *= 2.0
    return np.sum(y)


def written_before(x):
    """Write into the argument."""
    y = 1.0 * x
    z = scaled(y)
    y[0] = 5.0
    return np.sum(z)


def written_through_a_view(x):
    """Write into a view of the result."""
    y = without_first(1.0 * x)
    y[:1] = 5.0
    return np.sum(y)


def written_around_a_view(x):
    """Write into the array of a view."""
    y = 1.0 * x
    z = without_first(y)
    y[1] = 5.0
    return np.sum(z)


@pytest.mark.parametrize(
    "f", [written, updated, written_before, written_through_a_view, written_around_a_view]
)
def test_writing_into_one_of_the_two(f):
    """They share their elements and not their derivatives: it is refused, with the mend."""
    with pytest.raises(
        TypeError, match=r"(scaled|without_first) has a rule, and returned .* a view .*\.copy"
    ):
        grad(f)(X)


def test_python_hands_on_the_array_itself():
    """What is written into what `max` or a dictionary returned is written into the array."""

    def program(x, fill):
        a, b = np.sin(x), np.cos(x)
        largest = max([a, b], key=np.sum)
        largest[0] = x[1]
        found = {"a": a}.get("a")
        found[1] *= x[2]
        copied = copy.copy(b)
        copied[2] = 9.0
        return np.sum(a * b) + np.sum(copied)

    check_program(program)


@pytest.mark.parametrize(
    "f", [max, min, {}.get, dict.get, operator.getitem, list, filter, itertools.chain, getattr]
)
def test_functions_in_c(f):
    """What they hand on is the argument, derivative and all."""
    assert returns_its_argument(f)
    assert changes_nothing(f)


@pytest.mark.parametrize(
    "f",
    [
        scaled,
        functools.reduce,
        itertools.accumulate,
        map,
        operator.call,
        functools.partial(scaled),
        type("Own", (), {}),
    ],
)
def test_functions_with_other_derivatives(f):
    """People's own functions and classes, and those that call them, have the derivative of their rule."""
    assert returns_its_argument(f)
    assert not changes_nothing(f)


@pytest.mark.parametrize("f", [copy.copy, copy.deepcopy, np.sin, np.sum])
def test_functions_that_make_new_arrays(f):
    """They hand nothing on."""
    assert not returns_its_argument(f)


def test_functions_of_numpy():
    """Some return their argument where there is nothing to do."""
    assert all(returns_its_argument(f) and changes_nothing(f) for f in (np.squeeze, np.real, np.atleast_1d))


def test_classes_of_numbers_return_arrays_as_they_are():
    """``np.float64(x)`` is `x` itself if it is such an array: writes into one are seen by the other."""

    def program(x, _):
        x = x * 1.0
        y = np.float64(x)
        tail = x[1:]
        tail *= 4.0
        y[0] *= 3.0
        z = np.complex128(x)  # a copy
        z *= 1j
        return np.sum(y * x) + np.sum(np.abs(z) ** 2)

    assert np.float64(X) is X
    check_program(program)


get_or = contextvars.ContextVar("never set").get


@rrule.dispatch
def get_or_rrule(f: typeof_(get_or), x: object):
    """Scale the cotangent."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


@frule.dispatch
def get_or_frule(tangents, f: typeof_(get_or), x: object):
    """Scale the tangent."""
    return x, 100.0 * tangents[1]


@pytest.mark.parametrize("x", [X, X[1]])
def test_rules_of_others_for_functions_in_c(x):
    """What a rule of somebody else hands on has the derivative of that rule."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(get_or(x)))(x), np.full_like(x, 100.0))
    np.testing.assert_array_equal(jvp(get_or, (x,), (x,))[1], 100.0 * x)


def test_rules_of_others_for_functions_of_numpy():
    """So it is where a program has a rule of its own in the place of one for a function of NumPy."""
    program = """if True:
        import warnings
        import numpy as np
        from chainrules.ad import grad
        from chainrules_core import NoTangent, RuleRedefinitionWarning, rrule, typeof_

        warnings.simplefilter("ignore", RuleRedefinitionWarning)

        @rrule.dispatch
        def real_rrule(f: typeof_(np.real), x: float | np.ndarray):
            return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)

        assert grad(lambda x: np.real(x))(1.5) == 100.0
        assert grad(lambda x: np.sum(np.real(x)))(np.ones(2)).tolist() == [100.0, 100.0]
    """
    subprocess.run([sys.executable, "-c", program], check=True)
