"""Calls with tensors among their positional arguments, and nowhere else."""

import numpy as np
import pytest

from chainrules.ad.calls.rule_inputs import MutatedInputError
from chainrules.adapters.argument_calls import ArgumentCall, argument_call
from chainrules.adapters.flat_functions import FlatCall, PullbackOf
from chainrules_core import DimensionMismatchError, NoTangent, debugging, rrule, typeof_
from tests.python_calls import functions_run_by


class Tensor:
    """Stands for the tensor of a framework."""

    def __init__(self, array):
        self.array = array


def is_tensor(x):
    """Whether a value is one of these tensors."""
    return isinstance(x, Tensor)


def program(x, factor, y):
    """A function without a rule."""
    return np.sin(x) * factor + y


A = np.eye(3) * 2.0 + 0.1
b = np.linspace(0.3, 0.9, 3)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        (np.linalg.solve, (Tensor(A), Tensor(b)), {}),
        (np.linalg.solve, (A, Tensor(b)), {}),
        (np.power, (Tensor(b), 3), {}),
        (np.sum, (Tensor(A),), {"axis": 0}),
        (program, (Tensor(b), 2.0, Tensor(A)), {}),
        (program, (Tensor(b), 2.0), {"y": A}),
    ],
)
def test_it_is_the_call_that_is_found_otherwise(f, args, kwargs):
    """Results and derivatives of both orders are those of the `FlatCall` with the same holes."""
    tensors, call = argument_call(f, args, kwargs, is_tensor)
    arrays = [tensor.array for tensor in tensors]
    same = FlatCall(call.f, call.args, call.kwargs, call.holes)
    places = tuple(range(len(arrays)))
    y = f(*(x.array if is_tensor(x) else x for x in args), **kwargs)
    cotangents = np.ones_like(y)

    for actual, expected in (
        (call, same),
        (PullbackOf(call, places, (True,)), PullbackOf(same, places, (True,))),
    ):
        given = arrays if actual is call else [*arrays, cotangents]
        np.testing.assert_equal(actual.value(given).arrays, expected.value(given).arrays)
        (outcome, pullback), (expected_outcome, expected_pullback) = (
            function.pull(given, [0]) for function in (actual, expected)
        )
        np.testing.assert_equal(pullback(outcome.arrays), expected_pullback(expected_outcome.arrays))
        np.testing.assert_equal(actual.push(given, given), expected.push(given, given))


@pytest.mark.parametrize(
    ("f", "is_short"),
    [(np.sin, True), (np.sum, True), (np.argmax, False), (np.argsort, False), (np.modf, False)],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_short_way(f, is_short, dtype):
    """It is for one floating-point number or array; in the result it is in no container, as any one."""
    array = b.astype(dtype)
    if f is np.sum:
        is_short = dtype is np.float64  # numbers of other classes are rare
    _, call = argument_call(f, (Tensor(array),), {}, is_tensor)
    same = FlatCall(call.f, call.args, call.kwargs, call.holes)

    assert ("FlatCall.pulled_by_rule" not in functions_run_by(lambda: call.pull([array], [0]))) == is_short
    outcomes = [function.pull([array], [0])[0] for function in (call, same)]
    values = [outcome.filled(outcome.arrays) for outcome in outcomes]
    np.testing.assert_equal(*values)
    assert type(values[0]) is type(values[1])


def test_no_tensor_is_kept():
    """The call holds none of them."""
    tensors, call = argument_call(np.linalg.solve, (Tensor(A), b), {}, is_tensor)

    assert len(tensors) == 1
    assert isinstance(call, ArgumentCall)
    assert call.args[0] is None
    assert call.args[1] is b


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (([Tensor(b)],), {}),
        ((program.__get__(b), Tensor(b)), {}),
        ((np.array([Tensor(b)], dtype=object),), {}),
        ((b, 2.0), {"y": Tensor(b)}),
        ((Tensor(b), 2.0), {"y": [Tensor(b)]}),
    ],
)
def test_others_are_searched(args, kwargs):
    """Whatever may hold a tensor is not answered here."""
    assert argument_call(program, args, kwargs, is_tensor) is None


def test_an_array_that_is_written_into_is_noticed_in_debug_mode():
    """Before the derivative is taken from what a rule kept without copying it."""
    x = b.copy()
    call = argument_call(np.sin, (Tensor(x),), {}, is_tensor)[1]
    with debugging():
        _, pullback = call.pull([x], [0])
    pullback([b])
    x[0] = 0.0

    with pytest.raises(MutatedInputError, match=r"numpy\.sin was written into"):
        pullback([b])


def test_a_program_that_is_traced_has_arrays_of_its_own():
    """What is written into the argument later does not change the derivative."""
    x = b.copy()
    call = argument_call(program, (Tensor(x), 2.0, 1.0), {}, is_tensor)[1]
    _, pullback = call.pull([x], [0])
    before = pullback([b])
    x[0] = 0.0

    np.testing.assert_array_equal(pullback([b])[0], before[0])


def test_a_pullback_that_forgets_an_argument_is_named():
    """The error says which pullback it is, and where it stands."""

    def forgetful(x, y):
        return x * y

    @rrule.dispatch
    def forgetful_rrule(f: typeof_(forgetful), x: np.ndarray, y: np.ndarray):
        def forgetful_pullback(y_bar):
            return NoTangent(), y_bar * y

        return x * y, forgetful_pullback

    _, call = argument_call(forgetful, (Tensor(b), Tensor(b)), {}, is_tensor)
    for same in (call, FlatCall(call.f, call.args, call.kwargs, call.holes)):
        _, pullback = same.pull([b, b], [0])
        with pytest.raises(
            DimensionMismatchError, match=r"forgetful_pullback .*test_argument_calls.* returned 2"
        ):
            pullback([b])


def test_a_pullback_may_return_a_list():
    """As in `chainrules.ad`."""

    def doubled(x):
        return 2.0 * x

    @rrule.dispatch
    def doubled_rrule(f: typeof_(doubled), x: np.ndarray):
        return 2.0 * x, lambda y_bar: [NoTangent(), 2.0 * y_bar]

    call = argument_call(doubled, (Tensor(b),), {}, is_tensor)[1]
    for same in (call, FlatCall(call.f, call.args, call.kwargs, call.holes)):
        np.testing.assert_array_equal(same.pull([b], [0])[1]([b]), [2.0 * b])
