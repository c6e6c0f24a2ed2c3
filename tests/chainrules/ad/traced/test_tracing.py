"""Traced values: put in the place of numbers and arrays, and taken out again."""

import contextlib
import enum
import gc
import threading
import weakref
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules.ad import TracedValue, grad, jacobian, jvp, vjp
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import (
    bring_up_to_date,
    flat_records,
    innermost_trace,
    is_differentiable,
    is_traced,
    record_of,
    traced,
    untraced,
)
from chainrules_core import NoTangent, Tangent, primitive, rrule, typeof_
from chainrules_core.structured import Diagonal
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.every_mode import EVERY_MODE, MODES
from tests.chainrules.ad.models import Hundredfold
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by


def test_numbers_and_arrays_are_traced_inside_containers():
    """Each real or complex one becomes a traced value with a node; what has no derivative stays."""
    x = {"a": (1.5, 2, "text"), "b": [normal(3), 1j]}

    value, nodes = traced(x, ReverseTrace(), input_node)

    assert isinstance(value["a"][0], TracedValue)
    assert value["a"][1:] == (2, "text")
    assert all(isinstance(item, TracedValue) for item in value["b"])
    assert nodes["a"][0][1:] == ((), None)
    assert list(nodes["a"]) == [0]
    assert list(nodes["b"]) == [0, 1]
    assert traced((2, "text"), ReverseTrace(), input_node) == ((2, "text"), None)


def test_untraced_is_the_inverse():
    """The values come out again, with the path to each node."""
    x, trace = {"a": (1.5, 2), "b": [2.5]}, ReverseTrace()
    value, nodes = traced(x, trace, input_node)

    back, held = untraced(value, trace)

    assert back == x
    assert held == [(("a", 0), nodes["a"][0]), (("b", 0), nodes["b"][0])]
    assert untraced(x, trace) == (x, [])
    assert untraced(x, trace)[0] is x


def test_traces_are_constants_to_each_other():
    """Only the values of the trace that is asked about are taken out; the latest is the innermost."""
    outer, inner = ReverseTrace(), ReverseTrace()
    pair = (traced(1.5, outer, input_node)[0], traced(2.5, inner, input_node)[0])

    assert innermost_trace(pair) is inner
    assert innermost_trace((pair, 1.0)) is inner
    assert innermost_trace(pair[:1]) is outer
    assert innermost_trace((1.0, "text", [])) is None
    assert untraced(pair, inner)[0] == (pair[0], 2.5)
    assert untraced(pair, outer)[0][1] is pair[1]


def test_closures_are_searched():
    """A function that captures a traced value is traced itself."""
    x, _ = traced(1.5, ReverseTrace(), input_node)

    assert is_traced(lambda: x)
    assert not is_traced(lambda: 1.5)


@pytest.mark.parametrize(
    "x",
    [
        *(1.5, 1j, np.float32(1.5), np.complex64(1j), normal(2), normal(2, dtype=complex), np.array(1.5)),
        *(normal(2).view(np.recarray), Diagonal(normal(2)), Diagonal(normal(2, dtype=complex))),
        *(csr_array(np.eye(2)), csr_array(1j * np.eye(2))),
    ],
    ids=lambda x: type(x).__name__,
)
def test_differentiable(x):
    """Real and complex numbers, and arrays of them, are differentiated by."""
    assert is_differentiable(x)


@pytest.mark.parametrize(
    "x",
    [
        *(1, True, "text", None, np.int64(1), np.arange(2), np.array([None]), [1.5], (1.5,)),
        *(np.arange(2).view(np.recarray), Diagonal(np.arange(2)), csr_array(np.eye(2, dtype=int))),
    ],
    ids=lambda x: type(x).__name__,
)
def test_not_differentiable(x):
    """Integers, truth values, strings, and containers, whose parts may be."""
    assert not is_differentiable(x)


def test_records_and_flattening():
    """What a trace knows of its values; those of other traces are constants."""
    trace, other = ReverseTrace(), ReverseTrace()
    x, records = traced({"a": [1.5, 2], "b": 2.5}, trace, input_node)

    assert flat_records(records) == [record_of(x["a"][0], trace), record_of(x["b"], trace)]
    assert record_of(x["b"], other) is None
    assert record_of(x["b"], other, "default") == "default"
    assert record_of(2.5, trace, "default") == "default"
    assert flat_records(None) == []
    assert flat_records("record") == ["record"]


def test_tangents_are_searched():
    """A `Tangent` that an inner gradient returns holds values of an outer differentiation."""
    trace = ReverseTrace()
    x, node = traced(1.5, trace, input_node)
    gradient = Tangent[tuple](x, NoTangent())

    assert is_traced(gradient)
    value, held = untraced(gradient, trace)
    assert value == Tangent[tuple](1.5, NoTangent())
    assert held == [((0,), node)]


def test_sets_cannot_hold_traced_values():
    """They cannot be rebuilt, and what is in them is not looked for."""
    x = {1.5}

    assert traced(x, ReverseTrace(), input_node) == (x, None)


@pytest.mark.parametrize("differentiate", [lambda f, x: grad(f)(x), lambda f, x: jvp(f, (x,), (1.0,))[1]])
def test_exceptions_inside_of_nested_differentiations(differentiate):
    """They pass through, and later differentiations in the same thread are what they were."""

    def fails(y):
        raise ZeroDivisionError("inside")

    def f(x):
        with contextlib.suppress(ZeroDivisionError):
            differentiate(lambda y: fails(x * y), x)
        return x * differentiate(lambda y: x + y, 1.0)

    assert differentiate(f, 3.0) == 1.0
    with pytest.raises(ZeroDivisionError, match="inside"):
        differentiate(fails, 3.0)


def test_an_error_in_a_pullback():
    """An error in a pullback is raised as it is, and the pullback can be called again."""
    fail = [True]

    @primitive
    def f(x):
        return x

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        def f_pullback(y_bar):
            if fail.pop():
                raise ArithmeticError("in the pullback")
            return NoTangent(), 2.0 * y_bar

        return x, f_pullback

    _, pullback = vjp(lambda x: f(x) + f(x), 1.0)
    with pytest.raises(ArithmeticError, match="in the pullback"):
        pullback(1.0)
    fail.extend([False, False])
    assert pullback(1.0) == (4.0,)


@pytest.mark.parametrize("outer", EVERY_MODE)
@pytest.mark.parametrize("inner", MODES)
@pytest.mark.parametrize("put", [lambda y: y, lambda y: (y, 1.0)[0], lambda y: [y, {"y": y}]])
def test_values_kept_from_an_ended_differentiation(inner, outer, put):
    """To a differentiation around it they are what they were made of, not constants."""

    def f(a):
        kept = []

        def g(z):
            kept.append(z * a * a)
            return z * z

        inner(g)(1.5)
        return put(kept[0])

    derivative = outer(f)(np.array(2.0)) if put(0.0) == 0.0 else jacobian(f)(2.0)[1]["y"]
    assert derivative == 6.0


def test_exceptions_leave_nothing_behind():
    """After an error the same differentiation works, and what was traced is gone."""
    traced = []

    def f(x, fail):
        y = x * x
        traced.append(weakref.ref(y))
        if fail:
            raise RuntimeError("inside")
        return y

    with pytest.raises(RuntimeError, match="inside"):
        grad(f)(3.0, True)
    gc.collect()
    assert traced[0]() is None
    assert grad(f)(3.0, False) == 6.0


def test_threads_are_independent():
    """Threads that differentiate at the same time do not see each other."""
    barrier, results = threading.Barrier(8), {}

    def work(i):
        barrier.wait()
        for _ in range(20):
            results[i] = grad(lambda x: np.sum(x * x * i) + grad(lambda y: y * np.sum(x))(1.0))(np.ones(3))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for i in range(8):
        np.testing.assert_allclose(results[i], np.full(3, 2.0 * i + 1.0))


def test_branches_of_a_comparison():
    """Comparisons answer with ordinary truth values."""
    answers = []

    def f(x):
        answers.extend([x > 1.0, x <= 1.0, x == 2.0, x != 2.0, x > 1.0, bool(x)])
        return x if x > 1.0 else -x

    assert grad(f)(2.0) == 1.0
    assert grad(f)(-2.0) == -1.0
    assert answers[:6] == [True, False, True, False, True, True]
    assert all(type(answer) is bool for answer in answers)


class Model:
    """An instance of an ordinary class."""

    def __init__(self, *values):
        self.values = values


def test_instances():
    """They are traced by their attributes, and remembered; one that is held twice stays as it is."""
    trace, model = ReverseTrace(), Model(1.5, "text")
    value, nodes = traced([model, {"a": 2.5}], trace, input_node)

    assert isinstance(value[0].values[0], TracedValue)
    assert value[0].values[1] == "text"
    assert list(nodes) == [0, 1]
    assert trace.stand_ins[-1].original is model
    inside, records = traced(Model(Model(1.5)), trace, input_node)
    assert isinstance(inside.values[0].values[0], TracedValue)
    assert records is not None
    twice = Model(model, model)
    assert traced(twice, trace, input_node) == (twice, None)


@dataclass
class Line:
    """A dataclass."""

    slope: object


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), normal(2), 1j], ids=lambda x: type(x).__name__)
def test_the_short_way(x):
    """Nobody asks numbers and arrays of the usual classes for operators of their own."""
    ran = functions_run_by(lambda: traced(x, ReverseTrace(), input_node))
    assert "refuse_operators_of_its_own" not in ran
    assert ("is_differentiable" in ran) == (type(x) is not np.ndarray)
    with pytest.raises(TypeError, match="operators of its own"):
        traced(Hundredfold(2.0), ReverseTrace(), input_node)


@pytest.mark.parametrize(
    "make", [lambda x: [x], lambda x: {"a": x}, Tangent[tuple], lambda x: lambda: x, Line]
)
def test_values_are_not_remembered(make):
    """Nobody sees what is assigned to the stand-ins of containers, tangents and closures."""
    trace = ReverseTrace()
    _, nodes = traced(make(1.5), trace, input_node)

    assert nodes is not None
    assert not trace.stand_ins


class Temperature(float, enum.Enum):
    """A few floats with names."""

    ROOM = 293.15


def test_members_of_enumerations():
    """They have no neighbours, although they are floats: they are no arguments to differentiate by."""
    with pytest.raises(TypeError, match="cannot be differentiated by argument 0"):
        grad(lambda x: x**2)(Temperature.ROOM)
    with pytest.raises(TypeError, match="does not change smoothly"):
        jvp(lambda x: x**2, (Temperature.ROOM,), (1.0,))
    assert grad(lambda x: x * Temperature.ROOM)(2.0) == 293.15


@pytest.mark.parametrize("hold", [lambda y: y, lambda y: [y], lambda y: {"a": (y, 2)}])
def test_results_are_brought_up_to_date(hold):
    """What a differentiation returns has its last elements, views and arrays that are filled too."""

    def f(x):
        def inner(z):
            y = np.outer(z, z)
            row, column = y[0], y[:, 1]
            y[0] = z * z * z
            y[1, 1] = z[0]
            return hold((row, column))

        y, pullback = vjp(inner, x)
        row, column = y if isinstance(y, tuple) else y[0] if isinstance(y, list) else y["a"][0]
        ones = (np.ones(3), np.ones(3))
        ones_like_y = {tuple: ones, list: [ones], dict: {"a": (ones, NoTangent())}}[type(y)]
        return np.sum(row * column * pullback(ones_like_y)[0])

    x = normal(3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-7)


def test_constants_that_hold_themselves_are_left():
    """Nothing traced is in them."""
    x: list = [1.0]
    x.append(x)
    bring_up_to_date((x, Tangent[tuple](1.0)), None)
