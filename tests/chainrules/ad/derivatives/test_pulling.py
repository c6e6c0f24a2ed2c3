"""Reverse mode: `rrule_via_ad` with the engine, the cotangents of what functions hold, and `vjp`."""

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig, grad, vjp
from chainrules_core import (
    DimensionMismatchError,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleNotFoundError,
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
from chainrules_core.structured import Diagonal
from chainrules_testutils import j_prime_vp
from tests.chainrules.ad.agreement import assert_same_numbers
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import sparse

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
    with pytest.raises(DimensionMismatchError, match=r"rrule of numpy\.sin"):
        pullback(np.ones(2))
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
    """Keywords reach the function, and have no cotangent."""
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
    """Closures have cotangents by variable, objects by field, partials by argument, methods by object."""
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
    _, pullback = rrule_via_ad(CONFIG, lambda x: x, normal(2, dtype=np.float32))  # no rule has projected it
    assert pullback(np.array([1.0 + 1j, 1.0]))[1].dtype == np.float32


def test_inner_pullback_sees_outer_traces():
    """A pullback made inside a differentiation is differentiated by what surrounds it."""

    def f(x):
        _, pullback = rrule_via_ad(CONFIG, lambda y: x * y * y, 2.0)
        return pullback(1.0)[1] * pullback(x)[1]

    assert grad(f)(3.0) == pytest.approx(3 * 16 * 3.0**2)


# --- vjp -------------------------------------------------------------------------------------------


@dataclass
class Data:
    """A dataclass."""

    x: object
    scale: object
    name: str = "name"


@pytest.mark.parametrize(
    ("f", "args", "y_bar"),
    [
        (np.sin, (0.5,), 2.0),
        (lambda A, x: A @ x, (normal(2, 3), normal(3)), normal(2, seed=1)),
        (lambda x, y: (x * y, np.sum(x)), (normal(3), 2.0), (normal(3, seed=1), 3.0)),
        (lambda x: {"a": x * x, "b": [x[0]]}, (normal(3),), {"a": normal(3, seed=1), "b": [2.0]}),
        (lambda z: np.exp(z) * np.conj(z), (normal(3, dtype=complex),), normal(3, dtype=complex, seed=1)),
        (lambda x: np.exp(1j * x), (normal(3),), normal(3, dtype=complex, seed=1)),
        (np.abs, (1 + 2j,), 3.0),
        (lambda p: p["w"] * p["b"][0], ({"w": normal(3), "b": (2.0,)},), normal(3, seed=1)),
        (lambda x: x[:0], (normal(3),), normal(0)),
        (np.sum, (normal(0, 2),), 1.0),
        (lambda x, y: np.ones(2), (normal(3), 2.0), normal(2)),
    ],
)
def test_vjp_against_finite_differences(f, args, y_bar):
    """For results and arguments that are numbers, arrays and containers; the value is the function's."""
    y, pullback = vjp(f, *args)

    actual = pullback(y_bar)

    assert_same_numbers(y, f(*args))
    assert_same_numbers(actual, j_prime_vp(None, f, y_bar, *args))


def test_vjp_by_what_has_no_derivative():
    """Integers and strings have none; keyword arguments are passed on."""
    y, pullback = vjp(lambda n, x, name, scale: n * x * scale, 3, normal(2), "name", scale=2)

    np.testing.assert_array_equal(y, 6 * normal(2))
    n_bar, x_bar, name_bar = pullback(np.ones(2))
    assert (n_bar, name_bar) == (NoTangent(), NoTangent())
    np.testing.assert_array_equal(x_bar, [6.0, 6.0])
    assert vjp(lambda: 3.0)[1](1.0) == ()


def test_results_without_derivatives():
    """Integers and the like need no cotangent; what they are given is not looked at."""
    y, pullback = vjp(lambda x: (x * x, np.argmax(x), "name", None), normal(2))

    assert y[2:] == ("name", None)
    for nothing in (NoTangent(), ZeroTangent(), None):
        np.testing.assert_array_equal(pullback((np.ones(2), nothing, nothing, nothing))[0], 2 * normal(2))


def test_cotangents_in_every_form():
    """A pullback takes cotangents in the containers of the result, as `Tangent`, as zeros and as thunks."""
    _, pullback = vjp(lambda x: Data(x * 2.0, [x[0]]), normal(2))

    for y_bar in (
        Data(np.ones(2), [3.0]),
        StructuralTangent[Data](x=np.ones(2), scale=Tangent[list](3.0)),
        StructuralTangent[Data](x=thunk(lambda: np.ones(2)), scale=thunk(lambda: [3.0])),
    ):
        assert pullback(y_bar)[0].tolist() == [5.0, 2.0]
    assert pullback(StructuralTangent[Data](scale=[3.0]))[0].tolist() == [3.0, 0.0]
    for zero in (ZeroTangent(), NoTangent(), thunk(ZeroTangent)):
        assert pullback(zero)[0].tolist() == [0.0, 0.0]


def test_one_value_as_two_results():
    """Its cotangents are added."""
    _, pullback = vjp(lambda x: (y := x * 2.0, [y], x), 3.0)

    assert pullback((1.0, [10.0], 100.0)) == (122.0,)


def test_functions_as_arguments():
    """Closures, callable objects, partials and methods have cotangents for what they hold."""
    slope = 3.0

    def line(x):
        return slope * x

    cases = [
        (line, Tangent[type(line)](slope=2.0)),
        (Line(3.0, 0.0), StructuralTangent[Line](slope=2.0, offset=1.0, name=NoTangent())),
        (abs, NoTangent()),
    ]
    for f, expected in cases:
        f_bar, _ = vjp(lambda f, x: f(x), f, 2.0)[1](1.0)
        assert f_bar == expected
    partial = functools.partial(lambda a, x: a * x, 3.0)
    f_bar, _ = vjp(lambda f, x: f(x), partial, 2.0)[1](1.0)
    assert f_bar.args == (2.0,)
    f_bar, _ = vjp(lambda f, x: f(x), Line(3.0, 0.0).at, 2.0)[1](1.0)
    assert (f_bar["__self__"].slope, f_bar["__self__"].offset) == (2.0, 1.0)


def test_pullbacks_from_many_threads():
    """Pullbacks may be called by many threads at once, and as often as one likes."""
    A, x = normal(20, 20), normal(20)
    _, pullback = vjp(lambda A, x: np.tanh(A @ x) @ A + x, A, x)
    y_bars = [normal(20, seed=seed) for seed in range(8)]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(pullback, y_bars * 5))

    for y_bar, (A_bar, x_bar) in zip(y_bars * 5, results, strict=True):
        expected_A_bar, expected_x_bar = pullback(y_bar)
        np.testing.assert_array_equal(A_bar, expected_A_bar)
        np.testing.assert_array_equal(x_bar, expected_x_bar)


def test_cotangents_belong_to_the_caller():
    """They share no memory with the given cotangent, or with each other."""
    x, y_bar = normal(3), normal(3)
    _, pullback = vjp(lambda x, y: x + y, x, x)

    first, second = pullback(y_bar)
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, y_bar)
    assert not np.shares_memory(second, y_bar)
    (x_bar,) = vjp(lambda x: x, x)[1](y_bar)
    assert not np.shares_memory(x_bar, y_bar)
    assert not np.shares_memory(x_bar, x)


def test_precision_is_kept_whatever_is_given():
    """Cotangents are float32 for float32 arguments, and real for real ones."""
    x = normal(3, dtype=np.float32)

    assert vjp(lambda x: x * x, x)[1](np.ones(3))[0].dtype == np.float32
    assert vjp(lambda x: x * 1j, x)[1](np.full(3, 2j))[0].tolist() == [2.0, 2.0, 2.0]


def test_structured_and_sparse_results():
    """Their cotangents are dense or of their structure."""
    _, pullback = vjp(lambda d: Diagonal(d * d), normal(3))
    for y_bar in (Diagonal(np.ones(3)), np.ones((3, 3))):
        np.testing.assert_allclose(pullback(y_bar)[0], 2 * normal(3))
    A = sparse()
    _, pullback = vjp(lambda s: s * A, 2.0)
    assert pullback(A)[0] == pytest.approx(np.sum(A.toarray() ** 2))
    assert pullback(A.toarray())[0] == pytest.approx(np.sum(A.toarray() ** 2))


@pytest.mark.parametrize(
    ("y_bar", "error", "message"),
    [
        (normal(3), TypeError, "a tuple with the parts 0, 1 .* not as a ndarray"),
        ((normal(3),), TypeError, "not as a tuple with the parts 0:"),
        ((normal(2), 1.0), DimensionMismatchError, r"shape \(3,\).*shape \(2,\)"),
        ((1.0, 1.0), DimensionMismatchError, r"np\.full_like"),
        (("text", 1.0), TypeError, "text"),
    ],
)
def test_cotangents_that_do_not_fit(y_bar, error, message):
    """The pullback says what it expected."""
    _, pullback = vjp(lambda x: (x * 2.0, np.sum(x)), normal(3))

    with pytest.raises(error, match=message):
        pullback(y_bar)


def test_a_missing_rule():
    """A missing rule is named when the function is called."""
    with pytest.raises(RuleNotFoundError, match=r"max \(vectorized\).*has no rule"):
        vjp(np.frompyfunc(max, 2, 1), 1.0, 2.0)
