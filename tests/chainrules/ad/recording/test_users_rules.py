"""Programs with rules of the user's, which are recorded as all else that is the user's."""

import math
from typing import Annotated

import numpy as np
import pytest
from beartype.vale import IsEqual

from chainrules.ad import CompilationError, compiled, grad, hessian, jvp, vectorized
from chainrules_core import (
    HasReverseMode,
    InplaceableThunk,
    NoTangent,
    ProjectTo,
    RuleConfig,
    Tangent,
    Thunk,
    frule,
    primitive,
    rrule,
    rrule_via_ad,
    scalar_rule,
    typeof_,
)
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.ruled_functions import (
    Weights,
    cubed,
    halved,
    quartered,
    squared,
    squared_sum,
    summed,
)


def sine(x):
    """A function of numbers, with a rule."""
    return math.sin(x)


@rrule.dispatch
def sine_rrule(f: typeof_(sine), x: float):
    """By the usual formula."""
    slope = math.cos(x)
    return math.sin(x), lambda y_bar: (NoTangent(), slope * y_bar)


def product(x, y):
    """A function whose rule asks for a configuration."""
    return math.sin(x) * y


@rrule.dispatch
def product_rrule(config: RuleConfig[HasReverseMode], f: typeof_(product), x: float, y: float):
    """By the usual formula."""
    return math.sin(x) * y, lambda y_bar: (NoTangent(), math.cos(x) * y * y_bar, math.sin(x) * y_bar)


def cosine(x):
    """A function with a scalar rule, whose derivative calls a function of `math`."""
    return math.cos(x)


scalar_rule(cosine, lambda y, x: -math.sin(x))


def _slope(x):
    return 1.0 - np.tanh(x) ** 2


@primitive
def activation(x):
    """Numbers and arrays of its own, and of its rules."""
    return np.tanh(x) * Weights.scale + Weights.of_function


@rrule.dispatch
def activation_rrule(f: typeof_(activation), x: np.ndarray):
    """Not the right one, so that it is seen which was taken."""
    y = activation(x)
    project = ProjectTo(x)

    def activation_pullback(y_bar):
        return NoTangent(), Thunk(lambda: project(y_bar * _slope(x) * Weights.scale * Weights.of_rule))

    return y, activation_pullback


@frule.dispatch
def activation_frule(tangents, f: typeof_(activation), x: np.ndarray):
    """The same forwards."""
    return activation(x), tangents[1] * _slope(x) * Weights.scale * Weights.of_rule


@primitive
def applied(f, x):
    """A function of functions, whose rule asks for those of others."""
    return f(x)


@rrule.dispatch
def applied_rrule(config: RuleConfig[HasReverseMode], f: typeof_(applied), g, x):
    """By whatever differentiates."""
    y, pullback = rrule_via_ad(config, g, x)
    return y, lambda y_bar: (NoTangent(), *pullback(y_bar))


@primitive
def image(A, x):
    """A matrix times a vector, or a part of them."""
    return A @ x


@rrule.dispatch
def image_rrule(f: typeof_(image), A: np.ndarray, x: np.ndarray):
    """With a cotangent that can be added in place, into an array that it makes."""

    def image_pullback(y_bar):
        def add(A_bar):
            A_bar += np.outer(y_bar, x)
            return A_bar

        x_bar = np.zeros(len(x))
        for row, weight in zip(A, y_bar, strict=True):
            x_bar += row * weight
        return NoTangent(), InplaceableThunk(add, Thunk(lambda: np.outer(y_bar, x))), x_bar

    return image(A, x), image_pullback


def rectified(x, *, slope=0.1):
    """A function with a keyword, whose rule decides."""
    return np.where(x > 0.0, x, slope * x)


@rrule.dispatch
def rectified_rrule(f: typeof_(rectified), x: np.ndarray, *, slope=0.1):
    """Positive arrays are left as they are."""
    if np.all(x > 0.0):
        return x.copy(), lambda y_bar: (NoTangent(), y_bar)
    return rectified(x, slope=slope), lambda y_bar: (NoTangent(), np.where(x > 0.0, 1.0, slope) * y_bar)


class Scaling:
    """An object that is called, with a rule for it."""

    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        """It, scaled."""
        return self.by * x


@rrule.dispatch
def scaling_rrule(f: Scaling, x: np.ndarray):
    """With a cotangent for the object."""
    return f(x), lambda y_bar: (Tangent[Scaling](by=np.sum(x * y_bar)), f.by * y_bar)


@primitive
def both(x, y):
    """A function with two results."""
    return x * y, x + y


@rrule.dispatch
def both_rrule(f: typeof_(both), x: np.ndarray, y: np.ndarray):
    """From the cotangents of both."""

    def both_pullback(bars):
        times, plus = bars
        return NoTangent(), times * y + plus, times * x + plus

    return both(x, y), both_pullback


X = np.linspace(-1.0, 1.0, 3)
MATRIX = np.arange(6.0).reshape(2, 3)
TWICE = Scaling(2.0)
RECORDED = {
    "arrays": lambda x: np.sum(activation(x) ** 2),
    "of a program of its own": lambda x: np.sum(applied(lambda t: t * np.sin(t), x)),
    "of a rule in it": lambda x: np.sum(applied(activation, x) * x),
    "in place": lambda x: np.sum(image(MATRIX, x) ** 2) + np.sum(image(np.outer(x[:2], x), x)),
    "decisions": lambda x: np.sum(rectified(x, slope=0.3) ** 2),
    "keywords that are recorded": lambda x: np.sum(rectified(x, slope=np.sum(x) / 7.0) ** 2),
    "objects": lambda x: np.sum(TWICE(x) ** 2),
    "objects that are made": lambda x: np.sum(Scaling(np.sum(x))(x) ** 2),
    "several results": lambda x: np.sum(both(x, x * x)[0]) + np.sum(both(x, x)[1] ** 2),
    "pullbacks elsewhere": lambda x: np.sum(squared(x) * cubed(x)),
    "pullbacks that are objects": lambda x: np.sum(halved(x) ** 2),
    "rules that ask for rules": lambda x: np.sum(quartered(x) ** 2),
    "containers": lambda x: np.sum(summed([x, x * x]) ** 2),
    "by keyword": lambda x: product(x[0], y=x[1]) * product(y=2.0, x=x[2]),
    "at a constant": lambda x: (
        np.sum(x) * grad(sine)(2.0) * grad(squared_sum)(np.ones(3))[0] * squared(np.ones(3))[1]
    ),
    "numbers": lambda x: sine(float(x[0])) * product(x[1], x[2]) * cosine(x[2]),
}


@pytest.mark.parametrize("f", RECORDED.values(), ids=RECORDED)
def test_recorded(f):
    """They are looked into, as all that is the user's, and other points decide as they do."""
    points = [(X,), (X + 2.0,), (-3.0 * X,)]
    agrees(f, points)
    agrees(grad(f), points)


def test_recorded_in_all_modes():
    """Forwards, in second derivatives and in batches."""
    points = [(X,), (X + 2.0,)]
    agrees(lambda x: jvp(activation, (x,), (x * x,)), points)
    agrees(lambda x: jvp(quartered, (x,), (x * x,)), points)
    agrees(hessian(RECORDED["arrays"]), points)
    agrees(grad(lambda x: jvp(cosine, (x,), (x,))[1]), [(0.5,), (np.float64(2.0),), (-1.0,)])
    rows = vectorized(grad(RECORDED["arrays"]))(np.stack([X, 2.0 * X]))
    np.testing.assert_allclose(rows, [grad(RECORDED["arrays"])(x) for x in (X, 2.0 * X)])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble])
def test_recorded_numbers_of_other_precisions(kind):
    """What dispatch remembers of their classes is the rule as it stands, which is not called."""

    def square(x):
        return x * x

    @rrule.dispatch
    def square_rrule(f: typeof_(square), x: np.floating):
        return square(x), lambda y_bar: (NoTangent(), 3 * x * y_bar)

    assert grad(square)(kind(2)) == 6
    agrees(grad(lambda x: square(square(x))), [(kind(2),), (kind(1.5),)])


def test_what_recorded_rules_read(monkeypatch):
    """Whatever it is, it may change between calls; the rule, too."""
    f = grad(lambda x: np.sum(activation(x) ** 2))
    c = agrees(f, [(X,), (2.0 * X,)])
    for change in (
        lambda: monkeypatch.setattr(Weights, "scale", 3.0),
        lambda: monkeypatch.setattr(Weights, "of_rule", np.ones(3)),
        lambda: Weights.of_rule.fill(5.0),
        lambda: Weights.of_function.fill(7.0),
        lambda: monkeypatch.setitem(globals(), "_slope", np.exp),
    ):
        change()
        for _ in range(2):
            np.testing.assert_array_equal(c(X), f(X))
    with pytest.warns(UserWarning, match="redefines"):

        @rrule.dispatch
        def other_rrule(f: typeof_(activation), x: np.ndarray):
            return activation(x), lambda y_bar: (NoTangent(), 11.0 * y_bar)

    np.testing.assert_array_equal(c(X), 22.0 * activation(X))


@pytest.mark.parametrize("outside", [np.ones(3), 1.0])
def test_what_recorded_rules_hold(outside):
    """A program reaches them by no name, and what they hold may change all the same."""

    def scaled(x):
        return 2.0 * x

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: np.ndarray):
        slope = slope_of
        return scaled(x), lambda y_bar: (NoTangent(), slope * y_bar * outside)

    slope_of = 3.0
    f = grad(lambda x: np.sum(scaled(x) * outside))
    c = agrees(f, [(X,), (2.0 * X,)])
    slope_of = 7.0
    np.testing.assert_array_equal(c(X), f(X))
    outside = 2.0 * outside
    np.testing.assert_array_equal(c(X), f(X))


def test_what_rules_read_that_are_given_nothing_recorded(monkeypatch):
    """They are looked into, too: what they read may change."""
    c = agrees(RECORDED["at a constant"], [(X,), (2.0 * X,)])
    monkeypatch.setattr(Weights, "scale", 5.0)
    for _ in range(2):
        np.testing.assert_array_equal(c(X), RECORDED["at a constant"](X))


def test_recorded_in_text():
    """The program shows the lines of the rule."""
    source = compiled(grad(RECORDED["decisions"])).source(X)
    assert "return rectified(x, slope=slope), lambda y_bar:" in source


def test_rules_that_do_more_are_not_recorded():
    """As functions that do."""
    told = []

    def telling(x):
        return np.sum(x)

    @rrule.dispatch
    def telling_rrule(f: typeof_(telling), x: np.ndarray):
        told.append(1)
        return telling(x), lambda y_bar: (NoTangent(), np.full(x.shape, y_bar))

    with pytest.raises(CompilationError, match="`append` of a list from outside"):
        compiled(grad(lambda x: telling(x)), strict=True)(X)
    assert not told


def test_rules_that_are_chosen_by_values():
    """Nobody is told of what an annotation says of a value."""

    def square(x):
        return x * x

    @rrule.dispatch
    def square_rrule(f: typeof_(square), x: Annotated[float, IsEqual[2.0]]):
        return 4.0, lambda y_bar: (NoTangent(), 100.0 * y_bar)

    for f in (grad(square), lambda x: square(x) * rrule(square, x)[0]):
        with pytest.raises(
            CompilationError, match=r"`square_rrule` \(\S+test_users_rules.py:\d+\) has an annotation"
        ):
            compiled(f, strict=True)(3.0)
