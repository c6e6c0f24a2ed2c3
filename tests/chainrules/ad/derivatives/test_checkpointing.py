"""`checkpoint`: the same derivatives of every order, in less memory."""

import gc
import itertools
import weakref
from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import (
    RecomputedOtherwiseError,
    checkpoint,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    value_and_grad,
    vjp,
)
from chainrules_core import NoTangent, RuleNotFoundError, primitive, rrule, typeof_
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.every_mode import EVERY_MODE, MODES
from tests.chainrules.rule_checks import normal, positive


def wave(x):
    """Some operations."""
    return np.sin(x * x) + np.cos(x) * x


@pytest.mark.parametrize(
    "x", [0.7, normal(3), normal(2, 2, dtype=np.float32), normal(0)], ids=lambda x: str(np.shape(x))
)
def test_the_gradient_is_the_same(x):
    """A program of nested blocks, and of blocks in a row, has the gradient of the plain program."""
    block = checkpoint(wave)
    for f in (
        lambda w: lambda x: np.sum(w(x)),
        lambda w: lambda x: np.sum(w(w(x)) * w(x)),
        lambda w: lambda x: np.sum(checkpoint(lambda x: w(w(x)))(x) ** 2),
    ):
        value, gradient = value_and_grad(f(block))(x)
        expected_value, expected = value_and_grad(f(wave))(x)
        assert value == expected_value
        np.testing.assert_allclose(gradient, expected, rtol=1e-6)
        assert np.asarray(gradient).dtype == np.asarray(expected).dtype


def test_without_differentiation_it_is_the_function():
    """Without differentiation a checkpoint is the function, with its name, documentation and arguments."""
    block = checkpoint(lambda x, *, scale: x * scale)

    assert block(2.0, scale=3.0) == 6.0
    assert checkpoint(wave).__name__ == "wave"
    assert checkpoint(wave).__doc__ == "Some operations."


@pytest.mark.parametrize("D", EVERY_MODE)
def test_every_mode(D):
    """A checkpointed function has its derivatives in every mode; forwards nothing is kept."""
    block = checkpoint(wave)

    assert D(block)(0.7) == pytest.approx(D(wave)(0.7))
    for E in MODES:
        assert D(E(block))(0.7) == pytest.approx(D(E(wave))(0.7))
        assert D(lambda x, E=E: E(checkpoint(lambda z: wave(x * z)))(x))(0.7) == pytest.approx(
            D(lambda x, E=E: E(lambda y: wave(x * y))(x))(0.7)
        )


def test_higher_derivatives_of_arrays():
    """Hessians, and products with them, are those of the plain function."""
    x, v = normal(3), normal(3, seed=1)

    def f(block):
        return lambda x: np.sum(block(x * x[0]) * block(x))

    np.testing.assert_allclose(hessian(f(checkpoint(wave)))(x), hessian(f(wave))(x))
    np.testing.assert_allclose(hvp(f(checkpoint(wave)), x, v), hvp(f(wave), x, v))
    np.testing.assert_allclose(jacobian(checkpoint(wave))(x), jacobian(wave)(x))
    np.testing.assert_allclose(linearize(checkpoint(wave), x)[1](v), jvp(wave, (x,), (v,))[1])
    third = grad(lambda x: hvp(f(checkpoint(wave)), x, v) @ v)
    np.testing.assert_allclose(third(x), grad(lambda x: hvp(f(wave), x, v) @ v)(x))


@dataclass
class Layer:
    """A block with parameters of its own."""

    W: np.ndarray
    b: np.ndarray

    def __call__(self, x):
        """The layer."""
        return np.tanh(self.W @ x + self.b)


def test_functions_that_hold_data():
    """Closures, callable objects and methods get the derivative by what they hold."""
    W, b, x = normal(3, 3), normal(3), normal(3, seed=1)

    def by_closure(W, b, x):
        return np.sum(checkpoint(lambda x: np.tanh(W @ x + b))(x) ** 2)

    def by_object(W, b, x):
        return np.sum(checkpoint(Layer(W, b))(x) ** 2)

    def by_method(W, b, x):
        return np.sum(checkpoint(Layer(W, b).__call__)(x) ** 2)

    expected = grad_by_differences(None, by_closure, W, b, x)
    for f in (by_closure, by_object, by_method):
        for actual, by_differences in zip(grad(f, (0, 1, 2))(W, b, x), expected, strict=True):
            np.testing.assert_allclose(actual, by_differences, rtol=1e-8, atol=1e-9)


def test_containers():
    """Containers may be arguments and results of a checkpointed function."""

    @checkpoint
    def block(p, n):
        return {"y": [p["w"] * p["b"][0] ** n], "n": n}

    def f(p):
        made = block(p, 2)
        return np.sum(made["y"][0]) * made["n"]

    gradient = grad(f)({"w": positive(2), "b": (3.0, "fixed")})

    np.testing.assert_allclose(gradient["w"], [18.0, 18.0])
    assert gradient["b"] == (pytest.approx(12 * np.sum(positive(2))), NoTangent())


def test_several_results_of_which_one_is_used():
    """A result that is not used has no cotangent."""
    block = checkpoint(lambda x: (x * x, np.sum(x), 3))

    assert grad(lambda x: block(x)[1])(normal(2)).tolist() == [1.0, 1.0]
    assert grad(lambda x: block(x)[2] * block(x)[1])(normal(2)).tolist() == [3.0, 3.0]


def test_keyword_arguments():
    """Keyword arguments are passed on; one that is traced is refused, since it would get no derivative."""
    block = checkpoint(lambda x, scale=1.0: x * scale)

    assert grad(lambda x: block(x, scale=3.0))(2.0) == 3.0
    with pytest.raises(RuleNotFoundError, match="`scale` carries a tangent"):
        grad(lambda s: block(2.0, scale=s))(3.0)


def test_the_function_is_called_again():
    """The function is called once forwards, and once for each pullback."""
    calls = itertools.count()

    def f(x):
        next(calls)
        return x * x

    _, pullback = vjp(checkpoint(f), 3.0)
    assert next(calls) == 1
    assert [pullback(1.0), pullback(2.0)] == [(6.0,), (12.0,)]
    assert next(calls) == 4


def first_of_list(log, made):
    """Append, and read the first item."""
    log.append(made())
    return log[0]


def kept_in_dict(memory, made):
    """Compute once, and keep it."""
    if "y" not in memory:
        memory["y"] = made()
    return memory["y"]


def kept_in_attribute(owner, made):
    """The same, as properties do that are computed once."""
    return kept_in_dict(vars(owner), made)


class Owner:
    """An object that holds another."""

    def __init__(self, held=None):
        self.held = held


MEMORY: dict[str, object] = {}


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("holder", "keep", "contents"),
    [
        ([], first_of_list, list),
        ({}, kept_in_dict, dict),
        (Owner(), kept_in_attribute, vars),
        (Owner([]), lambda owner, made: first_of_list(owner.held, made), lambda owner: owner.held),
        ([[]], lambda lists, made: first_of_list(lists[0], made), lambda lists: lists[0]),
        (MEMORY, lambda _, made: kept_in_dict(MEMORY, made), dict),
    ],
)
def test_what_the_function_keeps(holder, keep, contents):
    """The second call finds lists, dicts and objects as the first one did, and leaves them so."""
    calls = itertools.count()

    def program(x):
        return checkpoint(lambda z: keep(holder, lambda: np.sin(z) + 0 * next(calls)) * z)(x)

    assert grad(program)(1.5) == pytest.approx(np.sin(1.5) + 1.5 * np.cos(1.5))
    assert next(calls) == 2
    kept = contents(holder)
    assert len(kept) == (2 if isinstance(holder, Owner) and holder.held is None else 1)
    assert np.sin(1.5) in (kept if isinstance(kept, list) else kept.values())


class Counted(np.ndarray):
    """An array that can be counted."""


def counted_arrays():
    """A function whose rule keeps an array for its pullback, and the references to all that are kept."""
    kept = []

    @primitive
    def keep(x):
        return np.tanh(x)

    @rrule.dispatch
    def keep_rrule(f: typeof_(keep), x: np.ndarray):
        y = np.tanh(x)
        residual = np.array(1 - y * y).view(Counted)
        kept.append(weakref.ref(residual))
        return y, lambda y_bar: (NoTangent(), np.asarray(residual * y_bar))

    return keep, kept


def alive(references):
    """How many of them are still held."""
    gc.collect()
    return sum(reference() is not None for reference in references)


def test_memory_is_freed():
    """Nothing is kept but the arguments of blocks; backwards, what one block keeps, one after the other."""
    keep, kept = counted_arrays()
    gc.freeze()  # what there is already, since garbage is looked for again and again
    most = deque()  # no list: what the second call adds to one is dropped

    def block(x):
        for _ in range(5):
            x = keep(x)
        most.append(alive(kept))
        return x

    def program(block):
        def f(x):
            for _ in range(4):
                x = block(x)
            most.append(alive(kept))
            return np.sum(x)

        return f

    plain = grad(program(block))(normal(3))
    assert max(most) == 20

    kept.clear()
    most.clear()
    checkpointed = grad(program(checkpoint(block)))(normal(3))
    np.testing.assert_allclose(checkpointed, plain)
    assert list(most)[:5] == [0, 0, 0, 0, 0]  # forwards
    assert list(most)[5:] == [5, 5, 5, 5]  # backwards
    assert alive(kept) == 0


def test_loop_variables():
    """A closure is called again with what it saw, although a loop has gone on meanwhile."""

    def f(x):
        t = 0.0
        for k in (1, 2, 3):
            scaled = lambda z: z * k  # noqa: B023, E731 - as programs are written
            t = t + checkpoint(scaled)(x) + checkpoint(lambda z: scaled(z) * z)(x)  # noqa: B023 - late binding is tested
        return t

    assert grad(f)(1.5) == 6 + 2 * 6 * 1.5
    assert grad(grad(f))(1.5) == 12.0
    assert grad(lambda k: sum(checkpoint(lambda z: z * k * i)(2.0) for i in (1, 2)))(3.0) == 6.0  # noqa: B023 - likewise


FACTORS = [2.0]
WEIGHTS = {"array": np.ones(3)}


def used_up(x):
    """A function of an iterator, which is empty the second time."""
    items = iter([x, x])
    return checkpoint(lambda z: sum(items, 0.0) * z)(x)


def factor():
    """An item of a global list."""
    return FACTORS[0]


def in_global_list(x):
    """A function that calls one that sees a global list, which changes."""
    FACTORS[0] = 2.0
    y = checkpoint(lambda z: {"y": (factor() * z, 1)})(x)["y"][0]
    FACTORS[0] = 3.0
    return y


def in_array(x):
    """A function that sees an array, one element of which changes by a little."""
    WEIGHTS["array"] = np.ones(3)
    y = checkpoint(lambda z: WEIGHTS["array"] * z)(x)
    WEIGHTS["array"][1] += 1e-4
    return np.sum(y)


def at_random(x, rng=np.random.default_rng(0)):  # noqa: B008 - the generator goes on
    """A function that draws."""
    return checkpoint(lambda z: z * rng.normal())(x)


def of_another_length(x):
    """A function whose result has one element more the second time."""
    seen = itertools.count(2)

    def f(z):
        return np.stack([z] * next(seen))

    return np.sum(checkpoint(f)(x))


@pytest.mark.parametrize("f", [used_up, in_global_list, in_array, at_random, of_another_length])
@pytest.mark.parametrize("differentiate", [grad(lambda f, x: f(x), 1), lambda f, x: grad(grad(f))(x)])
def test_recomputing_something_else(f, differentiate):
    """If the second call has another result than the first, an error says so."""
    with pytest.raises((RecomputedOtherwiseError, TypeError), match=r"another result|would be lost"):
        differentiate(f, 1.5)


def test_rounding_is_no_difference():
    """A rule may compute the value by another formula than the function, and NaN is NaN."""
    x = np.linspace(0.1, 1.0, 50)
    assert np.all(np.isfinite(grad(lambda x: np.sum(checkpoint(lambda z: np.linalg.norm(z) * z**0.3)(x)))(x)))
    with np.errstate(invalid="ignore"):
        assert np.isnan(grad(checkpoint(lambda z: np.sqrt(z) + np.inf * z))(-1.0))
