"""Calls as functions from arrays to arrays: values, both modes, and derivatives of every order."""

import dataclasses
import functools
import math

import numpy as np
import pytest
from scipy import linalg

from chainrules.ad import grad
from chainrules.adapters.flat_functions import FlatCall, PullbackOf, PushforwardOf
from chainrules_core import (
    DerivativeNotImplementedError,
    DimensionMismatchError,
    NoTangent,
    Tangent,
    ZeroTangent,
    frule,
    not_implemented,
    rrule,
    thunk,
    typeof_,
)
from chainrules_testutils import j_prime_vp, jvp, rand_tangent
from tests.chainrules.adapters.tensors import Layer, Model, Tensor, flat

rng = np.random.default_rng(0)
A, B, V = rng.normal(size=(3, 3)) + 4.0 * np.eye(3), rng.normal(size=3), rng.normal(size=3)
Z = rng.normal(size=3) + 1j * rng.normal(size=3)


def program(weights, x, power, kind="plain"):
    """Several outputs in containers, an argument in a dict, an integer, a string."""
    y = np.tanh(weights["w"] @ x) ** power
    return {"y": y, "parts": [np.sum(y * x), kind, len(y)]}


def layered(layer, x):
    """A dataclass as argument."""
    return np.sin(layer.weights * x) + layer.offset


def scaled(x, factor):
    """A closure's body."""
    return factor * np.sum(np.exp(x))


def closure_over(factor):
    """A function that holds a tensor."""
    return lambda x: scaled(x, factor)


def in_numbers(x, factor):
    """What takes plain numbers only, as functions in C do."""
    return math.sin(x) * factor


@frule.dispatch
def in_numbers_frule(tangents, f: typeof_(in_numbers), x: float, factor: float):
    """Its slope is computed by functions that take numbers, too."""
    _, x_dot, factor_dot = tangents
    return in_numbers(x, factor), math.cos(x) * factor * x_dot + math.sin(x) * factor_dot


@rrule.dispatch
def in_numbers_rrule(f: typeof_(in_numbers), x: float, factor: float):
    """As the `frule`."""
    slope = math.cos(x) * factor

    def in_numbers_pullback(y_bar):
        return NoTangent(), slope * y_bar, math.sin(x) * y_bar

    return in_numbers(x, factor), in_numbers_pullback


CALLS = {
    "rule": lambda: flat(np.linalg.solve, Tensor(A), Tensor(B)),
    "rule of SciPy": lambda: flat(linalg.solve, Tensor(A), Tensor(B), assume_a="gen"),
    "rule that takes numbers": lambda: flat(in_numbers, Tensor(0.4), Tensor(1.3)),
    "two outputs": lambda: flat(np.linalg.eigh, Tensor(A + A.T)),
    "program": lambda: flat(program, {"w": Tensor(A)}, Tensor(B), 3, kind="text"),
    "dataclass": lambda: flat(layered, Layer(Tensor(B), Tensor(2.0)), Tensor(V)),
    "functor": lambda: flat(Model(Tensor(B)), Tensor(V)),
    "closure": lambda: flat(closure_over(Tensor(2.0)), Tensor(V)),
    "partial": lambda: flat(functools.partial(scaled, factor=Tensor(2.0)), Tensor(V)),
    "complex": lambda: flat(np.multiply, Tensor(Z), Tensor(V)),
    "not holomorphic": lambda: flat(np.abs, Tensor(Z)),
    "float32": lambda: flat(np.multiply, Tensor(V.astype(np.float32)), Tensor(B.astype(np.float32))),
}


def values(call):
    """A flat function as one that finite differences can be taken of: of arrays, to a tuple of arrays."""
    return lambda *arrays: tuple(y for y in call.value(arrays).arrays if np.asarray(y).dtype.kind in "fc")


def cotangents_of(arrays):
    """Random ones of numbers and arrays; of integers none."""
    return [rand_tangent(y, rng) if np.asarray(y).dtype.kind in "fc" else NoTangent() for y in arrays]


def close(found, expected):
    """Whether tangents are equal up to the errors of differences, and have their precisions."""
    single = any(np.asarray(x).dtype.itemsize == 4 for x in found)
    tolerance = 1e-3 if single else 1e-8  # single precision has seven digits
    return len(found) == len(expected) and all(
        np.allclose(x, y, rtol=tolerance, atol=tolerance) for x, y in zip(found, expected, strict=True)
    )


def check(call, arrays):
    """Both modes of a flat function agree with finite differences."""
    places = range(len(arrays))
    outcome, pullback = call.pull(arrays, tuple(places))
    y_bars = cotangents_of(outcome.arrays)
    x_bars = pullback(y_bars)
    given = tuple(y_bar for y_bar in y_bars if not isinstance(y_bar, NoTangent))
    assert close(x_bars, j_prime_vp(None, values(call), given, *arrays))
    assert [np.asarray(x).dtype for x in x_bars] == [np.asarray(x).dtype for x in arrays]
    x_dots = cotangents_of(arrays)
    pushed, y_dots = call.push(arrays, x_dots)
    moving = [y_dot for y_dot in y_dots if not isinstance(y_dot, NoTangent | ZeroTangent)]
    assert close(moving, jvp(None, values(call), *zip(arrays, x_dots, strict=True)))
    for y, z in zip(outcome.arrays, pushed.arrays, strict=True):
        assert np.array_equal(y, z)


@pytest.mark.parametrize("name", CALLS)
def test_both_modes(name):
    """Pullbacks and pushforwards agree with finite differences, by a rule or by tracing the program."""
    arrays, call = CALLS[name]()
    check(call, arrays)


@pytest.mark.parametrize("name", [name for name in CALLS if name not in {"float32", "two outputs"}])
def test_pullbacks_and_pushforwards_are_flat_functions(name):
    """They are differentiated in their turn, in both modes: second derivatives."""
    arrays, call = CALLS[name]()
    outcome = call.value(arrays)
    y_bars = cotangents_of(outcome.arrays)
    given = tuple(not isinstance(y_bar, NoTangent) for y_bar in y_bars)
    pulled = PullbackOf(call, tuple(range(len(arrays))), given)
    check(pulled, [*arrays, *(y_bar for y_bar in y_bars if not isinstance(y_bar, NoTangent))])
    x_dots = cotangents_of(arrays)
    check(PushforwardOf(call, (True,) * len(arrays)), [*arrays, *x_dots])


def test_third_order():
    """The pullback of a pullback has one too."""
    _, call = flat(scaled, Tensor(V), 2.0)
    first = PullbackOf(call, (0,), (True,))
    second = PullbackOf(first, (0,), (True,))
    (third,) = second.value([V, 1.0, np.ones(3)]).arrays
    assert np.allclose(third, 2.0 * np.exp(V))
    (x_bar,) = second.pull([V, 1.0, np.ones(3)], (0,))[1]([np.ones(3)])
    hessian_sum = grad(lambda x: np.sum(grad(lambda x: np.sum(grad(lambda x: scaled(x, 2.0))(x)))(x)))
    assert np.allclose(x_bar, hessian_sum(V))


def test_results_are_put_into_the_containers_of_the_function():
    """With other things in the places of numbers and arrays."""
    arrays, call = CALLS["program"]()
    outcome, _ = call.pull(arrays, (0, 1))
    assert outcome.filled(["y", "sum", "length"]) == {"y": "y", "parts": ["sum", "text", "length"]}


def heavy(x, y):
    """A function whose rule counts what is computed."""
    return x * y


computed = []


@rrule.dispatch
def heavy_rrule(f: typeof_(heavy), x: object, y: object):
    """Cotangents are thunks, one of which nobody knows."""

    def x_cotangent(y_bar):
        computed.append("x")
        return y_bar * y

    def heavy_pullback(y_bar):
        return NoTangent(), thunk(x_cotangent, y_bar), not_implemented("nobody knows")

    return x * y, heavy_pullback


def test_unwanted_cotangents_are_not_computed():
    """Neither thunks nor derivatives that are not implemented matter then."""
    computed.clear()
    arrays, call = flat(heavy, Tensor(2.0), Tensor(3.0))
    _, pullback = call.pull(arrays, ())
    assert pullback([1.0]) == []
    assert computed == []
    assert call.pull(arrays, (0,))[1]([1.0]) == [3.0]
    assert computed == ["x"]
    with pytest.raises(DerivativeNotImplementedError, match="nobody knows"):
        call.pull(arrays, (1,))[1]([1.0])


def test_zero_cotangents_give_zeros():
    """They are dense in the pullback as a flat function, with shape and precision of the array."""
    arrays, call = flat(np.linalg.solve, Tensor(A.astype(np.float32)), Tensor(B.astype(np.float32)))
    assert call.pull(arrays, (0, 1))[1]([ZeroTangent()]) == [ZeroTangent(), ZeroTangent()]
    zeros = PullbackOf(call, (0, 1), (False,)).value(arrays).arrays
    assert [(x.shape, x.dtype) for x in zeros] == [((3, 3), np.float32), ((3,), np.float32)]
    assert not any(x.any() for x in zeros)


def test_real_argument_has_a_real_gradient():
    """Also where the cotangent is complex."""
    arrays, call = CALLS["complex"]()
    z_bar, v_bar = call.pull(arrays, (0, 1))[1]([Z])
    assert z_bar.dtype == complex
    assert v_bar.dtype == float


def mistaken(x):
    """A function with a wrong rule."""
    return x


@rrule.dispatch
def mistaken_rrule(f: typeof_(mistaken), x: float):
    """One cotangent is missing; or there is one array in the place of a tuple."""
    return x, lambda y_bar: (y_bar,) if y_bar == 1.0 else np.ones(2)


@frule.dispatch
def mistaken_frule(tangents, f: typeof_(mistaken), x: float):
    """No pair."""
    return [x]


def test_tangent_of_another_shape_is_refused():
    """Rules of elementwise functions would broadcast it, in silence."""
    arrays, call = flat(np.multiply, Tensor(V), Tensor(B))
    with pytest.raises(DimensionMismatchError, match="shape"):
        call.push(arrays, [np.ones((2, 3)), ZeroTangent()])


def test_mistakes_of_rules_are_errors():
    """Each names the rule."""
    arrays, call = flat(mistaken, Tensor(2.0))
    for same in (call, FlatCall(call.f, call.args, call.kwargs, call.holes)):
        _, pullback = same.pull(arrays, (0,))
        with pytest.raises(DimensionMismatchError, match="returned 1 cotangents for 1 argument"):
            pullback([1.0])
        with pytest.raises(TypeError, match="not a tuple of cotangents"):
            pullback([2.0])
    with pytest.raises(TypeError, match=r"mistaken_frule .*should return the pair \(y, y_dot\)"):
        call.push(arrays, [1.0])


def test_structural_cotangent_of_a_functor():
    """A rule for the instances of a class gives a tangent of the instance, whose parts are found."""
    arrays, call = flat(Ruled(Tensor(B)), Tensor(V))
    weights_bar, x_bar = call.pull(arrays, (0, 1))[1]([np.ones(3)])
    assert np.array_equal(weights_bar, 10.0 * V)
    assert np.array_equal(x_bar, 10.0 * B)


class Ruled(Model):
    """A functor with a rule."""


@rrule.dispatch
def ruled_rrule(f: Ruled, x: np.ndarray):
    """Ten times the truth, so that it is seen that the rule is used."""
    weights = f.weights
    return f(x), lambda y_bar: (Tangent[Ruled](weights=10.0 * y_bar * x), 10.0 * y_bar * weights)


def summed(x, *, scale):
    """A function with an argument that is given by keyword only."""
    return np.sum(x) * scale


@rrule.dispatch
def summed_rrule(f: typeof_(summed), x: np.ndarray, **named: object):
    """Say a hundred times too much, and nothing of the keyword."""
    return f(x, **named), lambda y_bar: (NoTangent(), 100.0 * y_bar * np.ones_like(x))


@frule.dispatch
def summed_frule(tangents, f: typeof_(summed), x: np.ndarray, **named: object):
    """Likewise."""
    return f(x, **named), 100.0 * np.sum(tangents[1])


def test_rules_and_tensors_by_keyword():
    """The rule is used where there is a derivative for each tensor in it; else the body."""
    arrays, call = flat(summed, Tensor(B), scale=2.0)
    assert call.pull(arrays, (0,))[1]([1.0])[0].tolist() == [100.0] * 3
    assert call.push(arrays, [np.ones(3)])[1] == [300.0]
    arrays, call = flat(summed, Tensor(B), scale=Tensor(2.0))
    x_bar, scale_bar = call.pull(arrays, (0, 1))[1]([1.0])
    assert x_bar.tolist() == [2.0] * 3
    assert scale_bar == pytest.approx(np.sum(B))
    assert call.push(arrays, [B, 3.0])[1] == pytest.approx([2.0 * np.sum(B) + 3.0 * np.sum(B)])


def test_calls_are_themselves_alone():
    """Two that are alike are two, and can be keys."""
    (_, one), (_, other) = (flat(summed, Tensor(B), scale=2.0) for _ in range(2))
    assert len({one, other}) == 2
    assert len({PullbackOf(one, (0,), (True,)) for _ in range(2)}) == 2
    assert len({PushforwardOf(one, (True,)) for _ in range(2)}) == 2
    for function in (PullbackOf(one, (0,), (True,)), PushforwardOf(one, (True,))):
        with pytest.raises(dataclasses.FrozenInstanceError):
            function.given = ()
