"""Propagation of cotangents: order, accumulation, memory."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig, grad, vjp
from chainrules.ad.modes.nodes import _is_link_of_chain, component, input_node, next_number, propagate
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.trace import CONSTANT
from chainrules.ad.traced.tracing import traced
from chainrules_core import (
    DerivativeNotImplementedError,
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    Tangent,
    Thunk,
    ZeroTangent,
    backing,
    not_implemented,
    primitive,
    rrule,
    rrule_via_ad,
    thunk,
    typeof_,
)
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by


def one_input(*x_bars):
    """The cotangent of an input that gets these cotangents from as many operations."""
    node = input_node()
    for x_bar in x_bars:
        operation = (next_number(), (CONSTANT, node), lambda y_bar, x_bar=x_bar: (NoTangent(), x_bar))
        yield operation, 1.0
    yield node, None


def accumulated(*x_bars):
    """The sum of cotangents that one input gets."""
    *seeds, (node, _) = one_input(*x_bars)
    cotangents = propagate(seeds)
    return cotangents.get(node)


def test_cotangents_are_added():
    """All cotangents that arrive at a node are added, of whatever kind."""
    x = np.array([1.0, 2.0])

    np.testing.assert_array_equal(accumulated(x), x)
    assert type(accumulated(thunk(lambda: x))) is np.ndarray
    np.testing.assert_array_equal(accumulated(x, x, x, x), 4 * x)
    np.testing.assert_array_equal(accumulated(x, thunk(lambda: x), ZeroTangent(), NoTangent(), x), 3 * x)
    np.testing.assert_array_equal(accumulated(thunk(lambda: thunk(lambda: x)), x), 2 * x)
    assert accumulated(1.0, np.float64(2.0), 3.0) == 6.0
    assert accumulated(ZeroTangent(), NoTangent()) is None


def test_cotangents_of_others_are_not_written_into():
    """Accumulation in place is only into arrays that were made for it."""
    x = np.array([1.0, 2.0])
    shared = np.broadcast_to(1.0, (2,))

    def add(total):
        assert type(total) is np.ndarray
        total += x
        return total

    own = InplaceableThunk(add, Thunk(lambda: 1.0 * x))
    for x_bars, expected in [
        *(((x, x, x), 3 * x), ((thunk(lambda: x), x, x), 3 * x), ((x, thunk(ZeroTangent), x, x), 3 * x)),
        *(((shared, x, x), 1 + 2 * x), ((shared, own), 1 + x), ((x, own), 2 * x), ((x, own, own), 3 * x)),
        *(((thunk(ZeroTangent), x, x), 2 * x), ((x, thunk(lambda: thunk(ZeroTangent)), x, x), 3 * x)),
        *(((thunk(lambda: x), own), 2 * x), ((own, x, own), 3 * x)),
    ]:
        np.testing.assert_array_equal(accumulated(*x_bars), expected)
        assert x.tolist() == [1.0, 2.0]
    assert accumulated(2.0, InplaceableThunk(add, Thunk(lambda: 3.0))) == 5.0
    D = Diagonal(x)
    assert accumulated(D, InplaceableThunk(add, Thunk(lambda: D))) == Diagonal(2.0 * x)


@pytest.mark.parametrize("dtypes", [("f4", "f8"), ("f8", "c16"), ("f4", "f8", "c8"), ("f8", "f4")])
def test_sums_of_several_dtypes(dtypes):
    """They have the dtype that holds all of them."""
    x_bars = [np.array([1.0, 2.0], dtype) * (1j if dtype[0] == "c" else 1) for dtype in dtypes]
    total = accumulated(*x_bars)

    np.testing.assert_array_equal(total, sum(x_bars))
    assert total.dtype == np.result_type(*dtypes)


def test_the_short_way():
    """What arrives first, or is an array, is asked for nothing; and only one sum is made in new memory."""
    x, parents = normal(3), (CONSTANT, input_node(), input_node())
    operation = (next_number(), parents, lambda y_bar: (NoTangent(), y_bar, y_bar))
    ran = functions_run_by(lambda: propagate([(operation, x)]))
    assert (ran["Cotangents.add"], ran["evaluated"]) == (1, 0)
    long_ways = {"_counts", "_refuse_missing", "add_inplace"}
    assert not long_ways & functions_run_by(lambda: accumulated(x, x, x)).keys()
    assert "_counts" not in functions_run_by(lambda: accumulated(thunk(lambda: x), x))
    assert "_counts" not in functions_run_by(lambda: vjp(lambda x: x[0] * x[1], x)[1](1.0))
    assert functions_run_by(lambda: accumulated(x, x, x, x))["Cotangents._add_second"] == 1
    nested = traced(x, ReverseTrace(), input_node)[0]
    assert "evaluated" not in functions_run_by(lambda: accumulated(nested))


NODE = (next_number(), (CONSTANT, input_node()), lambda y_bar: (NoTangent(), y_bar))


@pytest.mark.parametrize(
    ("parents", "x_bars", "expected"),
    [
        ((CONSTANT, NODE), (NoTangent(), 1.0), True),
        ((CONSTANT, NODE), (NoTangent(), np.ones(2)), True),
        ((CONSTANT, NODE), [NoTangent(), 1.0], False),
        ((CONSTANT, NODE), (NoTangent(), thunk(lambda: 1.0)), False),
        ((CONSTANT, NODE), (NoTangent(), 1.0, 1.0), False),
        ((CONSTANT, NODE), (NoTangent(),), False),
        ((CONSTANT, CONSTANT), (NoTangent(), 1.0), False),
        ((CONSTANT, [((0,), NODE)]), (NoTangent(), 1.0), False),
        ((CONSTANT, input_node()), (NoTangent(), 1.0), False),
        ((NODE, NODE), (1.0, 1.0), False),
    ],
)
def test_links_of_chains(parents, x_bars, expected):
    """Of an operation on one value alone, with its cotangent known: nothing else has to wait for it."""
    assert _is_link_of_chain(parents, x_bars) is expected


def test_thunks_add_themselves_in_place_but_the_first():
    """What adds itself in place is not written out, except for the first."""
    written_out = []

    def element(i):
        def add(accumulated):
            accumulated[i] += 1.0
            return accumulated

        def value():
            written_out.append(i)
            return np.eye(100)[i]

        return InplaceableThunk(add=add, val=Thunk(value))

    total = accumulated(*(element(i) for i in range(100)))

    np.testing.assert_array_equal(total, np.ones(100))
    assert len(written_out) == 1


def test_real_and_complex_cotangents_of_one_input():
    """A rule may give a real cotangent to a complex argument; those of items are added without loss."""

    @primitive
    def total(z):
        return np.sum(np.real(z))

    @rrule.dispatch
    def total_rrule(f: typeof_(total), z: np.ndarray):
        return np.sum(np.real(z)), lambda y_bar: (NoTangent(), y_bar * np.ones(3))

    z = normal(3, dtype=complex)
    expected = [1 + 2j, 1 + 1j, 1]
    for f in (
        lambda z: total(z) + 2.0 * np.imag(z[0]) + np.imag(z[1]),
        lambda z: np.imag(z[1]) + total(z) + 2.0 * np.imag(z[0]),
        lambda z: 2.0 * np.imag(z[0]) + np.imag(z[1]) + 0.5 * total(z) + 0.5 * total(z),
    ):
        np.testing.assert_allclose(grad(f)(z), expected)


def test_items_in_a_loop_cost_what_they_are():
    """A loop over n elements writes out two arrays of n elements, not n of them."""
    n, large = 200, []

    def sizes(x):
        large.append(np.size(x))
        return x

    original = np.zeros_like

    def counting(x, **named):
        sizes(x)
        return original(x, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "zeros_like", counting)
        gradient = grad(lambda x: sum(x[i] * x[i] for i in range(n)))(normal(n))

    np.testing.assert_allclose(gradient, 2 * normal(n))
    assert large.count(n) <= 2


def test_thunks_that_nobody_needs_are_not_computed():
    """The cotangent of a constant is not computed."""

    def f(x, constant):
        return x

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float, constant: np.ndarray):
        def refuse():
            raise AssertionError("computed")

        return x, lambda y_bar: (NoTangent(), y_bar, thunk(refuse))

    assert grad(lambda x: primitive(f)(x, normal(3)))(1.0) == 1.0


def test_operations_that_get_no_cotangent_are_not_pulled_back():
    """Where all that arrives is zero, also inside a thunk, nothing is computed."""
    node = input_node()

    def refuse(y_bar):
        raise AssertionError("pulled back")

    zero = (next_number(), (CONSTANT, node), refuse)

    cotangents = propagate([(zero, thunk(ZeroTangent)), (zero, ZeroTangent())])

    assert cotangents.get(node) is None


def test_missing_derivatives_raise_only_where_they_count():
    """A derivative that is not implemented raises with its account, unless nobody asks for it."""

    @primitive
    def bessel(order, x):
        return order * x

    @rrule.dispatch
    def bessel_rrule(f: typeof_(bessel), order: float, x: float):
        return order * x, lambda y_bar: (NoTangent(), not_implemented("by the order"), order * y_bar)

    assert grad(lambda x: bessel(2.0, x))(3.0) == 2.0
    with pytest.raises(DerivativeNotImplementedError, match=r"by the order.*test_nodes\.py:\d+"):
        grad(bessel)(2.0, 3.0)


@pytest.mark.parametrize("x_bars", [(NoTangent(),), (NoTangent(), 1.0, 2.0)])
def test_wrong_number_of_cotangents(x_bars):
    """The pullback that returns too many or too few is named."""

    @primitive
    def f(x):
        return x

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        def f_pullback(y_bar):
            return x_bars

        return x, f_pullback

    with pytest.raises(
        DimensionMismatchError,
        match=r"f_pullback \(.*test_nodes\.py:\d+\) returned \d cotangents for 1 argument\.",
    ):
        grad(f)(1.0)


def give_rule(x_bars):
    """A function whose pullback returns this."""

    @primitive
    def f(x):
        return x

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return x, lambda y_bar: x_bars

    return f


def test_cotangents_may_be_a_list_and_nothing_else():
    """The pullback that returns anything else is named."""
    assert grad(give_rule([NoTangent(), 2.0]))(1.0) == 2.0
    for wrong in (None, 2.0, np.ones(2)):
        with pytest.raises(TypeError, match="not a tuple of cotangents"):
            grad(give_rule(wrong))(1.0)


def test_component_follows_a_path():
    """Through fields, items and thunks; a zero has zero components."""
    x_bar = Tangent[tuple](thunk(lambda: Tangent[dict]({"a": 2.0})), 1.0)

    assert component(x_bar, (0, "a")) == 2.0
    assert component(x_bar, ()) is x_bar
    assert component(ZeroTangent(), (0, "a")) == ZeroTangent()


def test_cotangents_in_the_class_of_the_primal():
    """A dataclass is its own tangent, if a rule says so, alone and beside a structural one."""

    @dataclass
    class Line:
        slope: float
        offset: float

    @primitive
    def at(line, x):
        return line.slope * x + line.offset

    @rrule.dispatch
    def at_rrule(f: typeof_(at), line: Line, x: float):
        return at(line, x), lambda y_bar: (NoTangent(), Line(y_bar * x, y_bar), y_bar * line.slope)

    line_bar, x_bar = grad(lambda line, x: at(line, x) * line.offset, argnums=(0, 1))(Line(2.0, 5.0), 3.0)
    assert (line_bar.slope, line_bar.offset, x_bar) == (15.0, 16.0, 10.0)


def test_sums_of_what_is_not_implemented():
    """Two contributions that nobody has worked out are one such contribution, and the error says why."""

    @primitive
    def f(x):
        return x * 2.0

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), not_implemented("for the test"))

    with pytest.raises(DerivativeNotImplementedError, match="for the test"):
        grad(lambda x: f(x) + f(x))(1.0)


def test_cotangents_of_data_that_nobody_asks_for():
    """Of a large array that a function closes over it is a thunk: solvers call their function many times."""
    data = np.ones(2000)
    y, pullback = rrule_via_ad(ADConfig(), lambda x: np.sum(x * data), 2.0)
    f_bar, x_bar = pullback(3.0)
    assert type(backing(f_bar)["data"]) is Thunk
    np.testing.assert_allclose([y, x_bar], [4000.0, 6000.0])
    np.testing.assert_allclose(f_bar.data, 6.0 * data)
