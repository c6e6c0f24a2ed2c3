"""Looking on at a differentiation."""

import threading

import numpy as np
import pytest

from chainrules.ad import debug_nans, grad, jvp
from chainrules.ad.watching.observing import Observer, observed_by, observers, with_pullback, with_thunks
from chainrules_core import (
    InplaceableThunk,
    Tangent,
    debugging,
    non_differentiable,
    primitive,
    rrule,
    thunk,
    unthunk,
)


class Recorder(Observer):
    """Writes down which functions are called, and which pulled back."""

    def __init__(self):
        self.calls = []

    def observed_rrule(self, rule):
        """Note the call, and that of the pullback."""

        def recorded_rrule(f, *values, **kwargs):
            self.calls.append(f.__name__)
            answer = rule(f, *values, **kwargs)
            if answer is None:
                return None
            y, pullback = answer

            def recorded_pullback(y_bar):
                self.calls.append(f"{f.__name__} back")
                return pullback(y_bar)

            return y, recorded_pullback

        return recorded_rrule

    def observed_frule(self, rule):
        """Note the call."""

        def recorded_frule(tangents, f, *values, **kwargs):
            self.calls.append(f"{f.__name__} forwards")
            return rule(tangents, f, *values, **kwargs)

        return recorded_frule


def program(x):
    """Three operations."""
    return np.sum(np.sin(x) * x)


def test_operations_are_seen_in_order():
    """Each call of a rule, and of its pullback, forwards of its pushforward; the result is what it was."""
    x, recorder = np.ones(2), Recorder()

    with observed_by(recorder):
        gradient = grad(program)(x)
    with observed_by(recorder):
        y, _ = jvp(program, (x,), (x,))

    np.testing.assert_array_equal(gradient, grad(program)(x))
    assert y == program(x)
    backwards = ["sin", "mul", "sum", "sum back", "mul back", "sin back"]
    assert recorder.calls == [*backwards, "sin forwards", "mul forwards", "sum forwards"]


def test_inner_differentiations_are_seen():
    """An observer sees the operations of an outer and of an inner gradient."""
    recorder = Recorder()

    with observed_by(recorder):
        grad(grad(np.sin))(1.0)

    assert recorder.calls.count("sin") >= 2


def test_looking_on_ends():
    """After the block, also after an error; what began inside is still seen."""
    recorder = Recorder()

    with pytest.raises(RuntimeError, match="inside"), observed_by(recorder):
        raise RuntimeError("inside")
    assert observers() == ()
    grad(program)(np.ones(2))
    assert recorder.calls == []


def test_several_observers():
    """The one that came last is asked last, so that it stands outside."""
    order = []

    class Named(Observer):
        def __init__(self, name):
            self.name = name

        def observed_rrule(self, rule):
            def named_rrule(f, *values, **kwargs):
                order.append(self.name)
                return rule(f, *values, **kwargs)

            return named_rrule

    with observed_by(Named("first")), observed_by(Named("second")):
        assert [observer.name for observer in observers()] == ["first", "second"]
        grad(np.sin)(1.0)

    assert order == ["second", "first"]


def test_threads_do_not_see_each_other():
    """An observer looks on at the thread that asked for it."""
    recorder, seen = Recorder(), []

    with observed_by(recorder):
        thread = threading.Thread(target=lambda: seen.append(observers()))
        thread.start()
        thread.join()

    assert seen == [()]


def test_the_base_class_lets_everything_pass():
    """An observer need not look at both modes."""
    with observed_by(Observer()):
        assert grad(np.sin)(0.0) == 1.0
        assert jvp(np.sin, (0.0,), (1.0,)) == (0.0, 1.0)


def doubling(compute):
    """A wrapper that can be noticed."""
    return lambda *args: 2 * compute(*args)


def test_pullbacks_are_wrapped_where_there_is_a_derivative():
    """No rule, and no derivative, are known by the answer, which stays the same."""
    y, pullback = with_pullback((1.0, lambda y_bar: y_bar), doubling)
    without_derivative = rrule(np.argmax, np.ones(2))

    assert (y, pullback(3.0)) == (1.0, 6.0)
    assert with_pullback(None, doubling) is None
    assert with_pullback(without_derivative, doubling) is without_derivative


def test_thunks_are_wrapped_wherever_they_are():
    """Thunks, both halves of in-place ones, and thunks in structural cotangents are wrapped, and no more."""
    x_bar = np.ones(2)
    inplace = with_thunks(InplaceableThunk(lambda x: x + 1, thunk(lambda: 3.0)), doubling)
    structural = with_thunks(Tangent[tuple](1.0, thunk(lambda: 3.0)), doubling)

    assert unthunk(with_thunks(thunk(lambda: 3.0), doubling)) == 6.0
    assert (inplace.add(2.0), unthunk(inplace)) == (6.0, 6.0)
    assert (structural[0], structural[1]) == (1.0, 6.0)
    assert with_thunks(x_bar, doubling) is x_bar


@pytest.mark.parametrize("looking_on", [debugging, debug_nans])
def test_constants_stay_constants(looking_on):
    """What has no derivative may go where traced values may not, whoever looks on."""

    @primitive
    def sign(x):
        return float(np.sign(x))

    non_differentiable(sign)

    with looking_on():
        assert grad(lambda x: x * float(sign(x)))(-2.0) == -1.0
