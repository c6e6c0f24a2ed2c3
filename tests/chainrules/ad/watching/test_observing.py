"""Looking on at a differentiation."""

import threading

import numpy as np
import pytest

from chainrules.ad import debug_nans, grad, jvp
from chainrules.ad.watching.observing import Observer, observed_by, observers, with_pullback, with_thunks
from chainrules_core import (
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    Tangent,
    ZeroTangent,
    debugging,
    frule,
    non_differentiable,
    primitive,
    rrule,
    thunk,
    typeof_,
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


X = np.array([0.3, -1.2, 2.0])


def with_cotangent(of):
    """A primitive whose pullback returns what `of` makes of the cotangent of its result."""

    @primitive
    def wave(x):
        return np.sin(x)

    @rrule.dispatch
    def wave_rrule(f: typeof_(wave), x: np.ndarray):
        def wave_pullback(y_bar):
            return NoTangent(), of(y_bar * np.cos(x))

        return np.sin(x), wave_pullback

    return lambda x: np.sum(wave(x * 1.0) * np.arange(3.0))


@pytest.mark.parametrize(
    "of",
    [
        np.diag,
        lambda x_bar: thunk(lambda: np.diag(x_bar)),
        lambda x_bar: InplaceableThunk(lambda total: total + x_bar, thunk(lambda: np.diag(x_bar))),
    ],
)
def test_cotangents_of_another_shape(of):
    """The next rule may sum them as if they had been broadcast: the error names the pullback."""
    says = r"^wave_rrule \(.*test_observing\.py:\d+\): .* argument 1, `x`, has shape \(3, 3\), .* \(3,\)\."
    with debugging(), pytest.raises(DimensionMismatchError, match=says):
        grad(with_cotangent(of))(X)


@pytest.mark.parametrize(
    "of", [lambda x_bar: x_bar, lambda x_bar: thunk(lambda: x_bar), lambda x_bar: ZeroTangent()]
)
def test_others(of):
    """What fits passes, in thunks too; what has no shape is not looked at."""
    f = with_cotangent(of)
    expected = grad(f)(X)
    with debugging():
        np.testing.assert_array_equal(grad(f)(X), expected)
        assert grad(lambda x: x[0] * len(str(x)) ** 0)([2.0, "name"])[0] == 1.0
        np.testing.assert_array_equal(jvp(np.sin, (X,), (X,))[1], np.cos(X) * X)


def test_tangents_of_another_shape():
    """Likewise, when the rule is called."""

    @primitive
    def total(x):
        return np.sum(x)

    @frule.dispatch
    def total_frule(tangents, f: typeof_(total), x: np.ndarray):
        return np.sum(x), tangents[1]

    with (
        debugging(),
        pytest.raises(DimensionMismatchError, match=r"^total_frule .* has shape \(3,\), the result \(\)"),
    ):
        jvp(total, (X,), (X,))
