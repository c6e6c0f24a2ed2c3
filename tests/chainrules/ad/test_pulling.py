"""Rules that call back: `rrule_via_ad` with the engine, and the cotangents of what functions hold."""

import functools
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig, grad
from chainrules_core import (
    HasReverseMode,
    NoTangent,
    RuleConfig,
    StructuralTangent,
    Tangent,
    ZeroTangent,
    add_inplace,
    primitive,
    rrule,
    rrule_via_ad,
    thunk,
    typeof_,
    unthunk,
)
from tests.chainrules.rule_checks import normal

CONFIG = ADConfig()

# --- The example that https://discourse.julialang.org asks about: integrating a closure ------------

STEPS = np.diff(np.linspace(0.0, 1.0, 101))
POINTS = np.cumsum(STEPS)


@primitive
def integrate(f):
    """A Riemann sum of `f` from 0 to 1."""
    return sum(f(x) * dx for x, dx in zip(POINTS, STEPS, strict=True))


@rrule.dispatch
def integrate_rrule(config: RuleConfig[HasReverseMode], _: typeof_(integrate), f: object):
    """The integral is linear in `f`, whose own cotangent is the sum of those at all points."""
    values, pullbacks = zip(*(rrule_via_ad(config, f, x) for x in POINTS), strict=True)

    def integrate_pullback(y_bar):
        f_bar = ZeroTangent()
        for pullback, dx in zip(pullbacks, STEPS, strict=True):
            f_bar = add_inplace(f_bar, pullback(unthunk(y_bar) * dx)[0])
        return NoTangent(), f_bar

    return sum(y * dx for y, dx in zip(values, STEPS, strict=True)), integrate_pullback


def area(p):
    """The integral of a line, whose coefficients the integrand captures."""

    def line(x):
        return p[0] * x + p[1]

    return integrate(line)


def test_closure_gets_its_cotangent_through_a_rule():
    """The gradient goes through the cotangent of the closure: ``[Σ x dx, Σ dx]``."""
    np.testing.assert_allclose(grad(area)(np.array([2.0, 1.0])), [0.505, 1.0])


def test_rule_that_calls_back_is_used(monkeypatch):
    """The gradient above is the rule's, not that of the traced body."""
    calls = []
    original = rrule_via_ad
    monkeypatch.setitem(
        integrate_rrule.__globals__, "rrule_via_ad", lambda *args: calls.append(args) or original(*args)
    )

    grad(area)(np.array([2.0, 1.0]))

    assert len(calls) == len(POINTS)
    assert isinstance(calls[0][0], ADConfig)


def test_rule_that_calls_back_is_differentiated_twice():
    """A closure over a traced closure: the derivative of the gradient."""

    def squared_slope(p):
        return np.sum(grad(lambda q: area(q) ** 2)(p) * np.array([1.0, 0.0]))

    # area(p) = 0.505 p0 + p1, so the slope by p0 of its square is 2 · 0.505 · area(p).
    np.testing.assert_allclose(grad(squared_slope)(np.array([2.0, 1.0])), 1.01 * np.array([0.505, 1.0]))


# --- rrule_via_ad ----------------------------------------------------------------------------------


def test_uses_a_rule_where_there_is_one():
    """The rule's own pullback comes back."""
    y, pullback = rrule_via_ad(CONFIG, np.sin, 0.5)

    assert y == np.sin(0.5)
    assert "sin" in pullback.__qualname__
    assert pullback(1.0) == (NoTangent(), np.cos(0.5))


def test_traces_where_there_is_no_rule():
    """The pullback has a cotangent for the function and for each argument."""
    y, pullback = rrule_via_ad(CONFIG, lambda x, y, n: x * y * n, 2.0, 3.0, 4)

    assert y == 24.0
    assert pullback(1.0) == (NoTangent(), 12.0, 8.0, NoTangent())
    assert pullback(thunk(lambda: 2.0)) == (NoTangent(), 24.0, 16.0, NoTangent())
    assert pullback(ZeroTangent()) == (NoTangent(), ZeroTangent(), ZeroTangent(), NoTangent())


def test_pullback_can_be_called_again():
    """Each call starts afresh, and changes nothing that an earlier one returned."""
    x = normal(3)
    _, pullback = rrule_via_ad(CONFIG, lambda x: x * x + x[0] + x, x)

    first = pullback(np.ones(3))[1]
    kept = first.copy()
    pullback(np.full(3, 5.0))

    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(pullback(np.ones(3))[1], kept)


def test_keywords_are_passed_on():
    """They reach the function, and have no cotangent."""
    y, pullback = rrule_via_ad(CONFIG, lambda x, scale: x * scale, 2.0, scale=3.0)

    assert (y, pullback(1.0)) == (6.0, (NoTangent(), 3.0))


def test_results_in_containers():
    """The cotangent has the structure of the result."""
    y, pullback = rrule_via_ad(CONFIG, lambda x: {"a": x * x, "b": (x, "text")}, 3.0)

    assert y == {"a": 9.0, "b": (3.0, "text")}
    y_bar = Tangent[dict]({"a": 1.0, "b": thunk(lambda: Tangent[tuple](10.0, NoTangent()))})
    assert pullback(y_bar) == (NoTangent(), 16.0)


def test_arguments_in_containers():
    """Cotangents of containers are structural."""
    _, pullback = rrule_via_ad(CONFIG, lambda pair, d: pair[0] * d["a"], (2.0, 5), {"a": 3.0})

    assert pullback(1.0) == (NoTangent(), Tangent[tuple](3.0, NoTangent()), Tangent[dict]({"a": 2.0}))


@dataclass
class Line:
    """A callable object with parameters of its own."""

    slope: float
    offset: float
    name: str = "line"

    def __call__(self, x):
        """The value at `x`."""
        return self.slope * x + self.offset

    def at(self, x):
        """As a method."""
        return self(x)


def test_functions_that_hold_data_get_their_cotangent():
    """Closures by captured variable, objects by field, partials by argument, methods by their object."""
    slope = 3.0

    def line(x):
        return slope * x

    cases = [
        (line, StructuralTangent[type(line)](slope=2.0)),
        (Line(3.0, 0.0), StructuralTangent[Line](slope=2.0, offset=1.0)),
        (
            functools.partial(lambda a, x, b: a * x + b, 3.0, b=0.0),
            StructuralTangent[functools.partial](
                args=Tangent[tuple](2.0), keywords=Tangent[dict]({"b": 1.0})
            ),
        ),
        (
            Line(3.0, 0.0).at,
            StructuralTangent[type(Line(1.0, 1.0).at)](
                __self__=StructuralTangent[Line](slope=2.0, offset=1.0)
            ),
        ),
    ]
    for f, expected in cases:
        y, pullback = rrule_via_ad(CONFIG, f, 2.0)
        f_bar, x_bar = pullback(1.0)
        assert (y, x_bar) == (6.0, 3.0)
        assert f_bar == expected


def test_cotangents_are_projected():
    """A real argument gets a real cotangent of its own precision."""
    _, pullback = rrule_via_ad(CONFIG, lambda x: x * np.array([1j, 2.0]), normal(2, dtype=np.float32))

    assert pullback(np.array([1.0 + 1j, 1.0]))[1].dtype == np.float32


def test_inner_pullback_sees_outer_traces():
    """A pullback made inside a differentiation is differentiated by what surrounds it."""

    def f(x):
        _, pullback = rrule_via_ad(CONFIG, lambda y: x * y * y, 2.0)
        return pullback(1.0)[1] * pullback(x)[1]

    assert grad(f)(3.0) == pytest.approx(3 * 16 * 3.0**2)
