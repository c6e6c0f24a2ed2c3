"""The generated code of scalar rules, as warnings, tracebacks and tools see it."""

import inspect
import linecache
import sys
import traceback
import types
import warnings
from typing import NamedTuple

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule, scalar_rule
from chainrules_core.definition.scalar_propagation import ScalarRule
from chainrules_core.definition.scalar_rule_code import generate
from chainrules_core.definition.shortcuts import ARE_ENABLED
from tests.case_names import shown
from tests.chainrules_core.boxes import Box, backend
from tests.python_calls import functions_run_by

NT = NoTangent()


def line_here():
    """The line of the caller."""
    return sys._getframe(1).f_lineno


def slope_of_log(y, x):
    """The derivative of a logarithm."""
    return 1 / x


@pytest.mark.parametrize("x", [-1.0, np.array([-1.0, 1.0]), np.array([-1.0], np.float32)])
def test_warnings_of_the_primal_point_at_the_definition(x):
    """NumPy warns of an invalid value where the rule is defined, in both modes."""
    place = __file__, 17
    rule = ScalarRule(np.log, slope_of_log, 1, place)
    log_rrule, log_frule, _ = generate(np.log, slope_of_log, rule, 1, place)
    for call in (lambda: log_rrule(np.log, x), lambda: log_frule((NT, 1.0), np.log, x)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [(w.category, w.filename, w.lineno) for w in caught] == [(RuntimeWarning, *place)]


def broken(y, x):
    """Partial derivatives that fail."""
    raise RuntimeError("mine")


@pytest.mark.skipif(not ARE_ENABLED, reason="all calls go the long way")
@pytest.mark.parametrize(
    ("x", "y_bar"), [(np.ones(3), np.ones(3)), (2.0, 1.0), (2j, None)], ids=["array", "number", "complex"]
)
def test_common_calls_of_ufuncs_go_a_short_way(x, y_bar):
    """The function is called as it is, and one array searched for NaN as one."""
    log_rrule, *_ = generate(
        np.log, slope_of_log, ScalarRule(np.log, slope_of_log, 1, ("here", 1)), 1, ("here", 1)
    )

    def call():
        _, pullback = log_rrule(np.log, x)
        if y_bar is not None:
            pullback(y_bar)

    assert not {"Primitive.__call__", "have_nan", "ScalarRule.pull"} & functions_run_by(call).keys()


def failing_rule():
    """A function whose partial derivative fails, and the line of its rule."""

    def cube(x):
        return x**3

    scalar_rule(
        cube,
        broken,
    )
    return cube, line_here() - 4


@pytest.mark.parametrize("x", [2.0, np.ones(3), 2j])
def test_tracebacks_show_the_definition_and_the_failing_line(x):
    """The rule's frame shows the statement that defines it; then come the partial derivatives."""
    cube, line = failing_rule()
    for name, call in (
        ("cube_pullback", lambda: rrule.methods(cube)[0].function(cube, x)[1](x)),
        ("cube_frule", lambda: frule.methods(cube)[0].function((NT, x), cube, x)),
    ):
        with pytest.raises(RuntimeError, match="mine") as caught:
            call()
        frames = traceback.extract_tb(caught.value.__traceback__)
        (generated,) = [frame for frame in frames if frame.name == name]
        assert (generated.filename, generated.lineno, generated.line) == (__file__, line, "scalar_rule(")
        assert generated.colno is None
        assert (frames[-1].filename, frames[-1].name) == (__file__, "broken")


def test_source_of_a_rule_is_the_statement_that_defines_it():
    """`inspect` shows the user's own text; nothing is put into the cache of lines."""

    def power(x, n):
        return x**n

    @scalar_rule(power)
    def _(y, x, n):
        return n * y / x, y * np.log(x)

    line = line_here() - 4
    function = rrule.methods(power)[0].function
    assert inspect.getsourcefile(function) == __file__
    assert inspect.getsourcelines(function) == (
        [
            "    @scalar_rule(power)\n",
            "    def _(y, x, n):\n",
            "        return n * y / x, y * np.log(x)\n",
        ],
        line,
    )
    assert not [name for name in linecache.cache if name.startswith("<scalar_rule")]


def test_tools_that_trace_lines_see_the_line_of_the_definition_alone():
    """Coverage counts no line of the user's file as run that was not."""

    def double(x):
        return 2 * x

    scalar_rule(double, lambda y, x: 2.0)
    line = line_here() - 1
    function = rrule.methods(double)[0].function
    seen = []

    def trace(frame, event, _):
        if frame.f_code.co_name.startswith("double_"):
            seen.append((frame.f_code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for x in (1.0, np.ones(2), 1j):
            function(double, x)[1](x)
    finally:
        sys.settrace(before)
    assert set(seen) == {(__file__, line)}


@pytest.mark.parametrize("name", ["<lambda>", "class", "sin (vectorized)"])
def test_primals_without_a_name_for_code(name):
    """Their rules have a name all the same."""

    def f(x):
        return x

    f.__name__ = name
    scalar_rule(f, lambda y, x: 1.0)
    assert rrule.methods(f)[0].function.__name__ == "scalar_rrule"


def test_generated_code_belongs_to_this_package():
    """Whoever looks for the frames of a program by the names of modules passes it by."""

    def triple(x):
        return 3 * x

    scalar_rule(triple, lambda y, x: 3.0)
    assert rrule.methods(triple)[0].function.__globals__["__name__"].startswith("chainrules_core.")


class Slopes(NamedTuple):
    """Two partial derivatives."""

    by_x: object
    by_y: object


@pytest.mark.parametrize(("x", "y"), [(2.0, 3.0), (np.array([2.0, 0.5]), np.array([3.0, 1.0]))])
def test_named_tuples_of_partial_derivatives(x, y):
    """They are tuples, of numbers and of arrays."""

    def product(x, y):
        return x * y

    @scalar_rule(product)
    def _(z, x: float | np.ndarray, y: float | np.ndarray):
        return Slopes(y, x)

    _, x_bar, y_bar = rrule(product, x, y)[1](x)
    np.testing.assert_array_equal(x_bar, y * x)
    np.testing.assert_array_equal(y_bar, x * x)
    np.testing.assert_array_equal(frule((NT, x, y), product, x, y)[1], 2 * x * y)


def square(x):
    """Of one number or array."""
    return x * x


def product(x, y):
    """Of two."""
    return x * y


def box(x, y, z):
    """Of three."""
    return x * y * z


PARTIALS = {
    square: lambda _, x: 2.0 * x,
    product: lambda _, x, y: (y, x),
    box: lambda _, x, y, z: (y * z, x * z, x * y),
}


@scalar_rule(square)
def square_partials(y, x: object):
    """Of arguments of any type."""
    return PARTIALS[square](y, x)


@scalar_rule(product)
def product_partials(z, x: object, y: object):
    """Of arguments of any type."""
    return PARTIALS[product](z, x, y)


@scalar_rule(box)
def box_partials(v, x: object, y: object, z: object):
    """Of arguments of any type."""
    return PARTIALS[box](v, x, y, z)


PLAIN = [1.5, np.float64(1.5), *(np.linspace(1.0, 2.0, n) for n in (3, 2000)), np.ones((2, 3), np.float32)]
OTHER = [1.5j, np.float32(1.5), 2, np.arange(3), np.linspace(1.0, 2.0, 3) * 1j, np.array([1.0, np.nan])]


def answers(f, x, y_bar):
    """The arguments, the cotangents and the tangent of a call with arguments that are multiples of `x`."""
    n = len(inspect.signature(f).parameters)
    xs = tuple(x + type(x)(k) if np.ndim(x) == 0 else (x + k).astype(x.dtype) for k in range(n))
    dots = (NoTangent(), *(y_bar,) * n)
    return xs, rrule.unchecked(f, *xs)[1](y_bar), frule.unchecked(dots, f, *xs)[1]


@pytest.mark.skipif(not ARE_ENABLED, reason="all calls come to the rule itself")
@pytest.mark.parametrize("f", PARTIALS)
@pytest.mark.parametrize("x", PLAIN, ids=shown)
def test_plain_values_do_not_come_to_the_rule_itself(monkeypatch, f, x):
    """Real numbers and arrays are answered by the code, as the rule would answer them."""
    y_bar = type(x)(0.5) if np.ndim(x) == 0 else (x / 2).astype(x.dtype)
    asked = []
    for name in ("pull", "push"):
        method = getattr(ScalarRule, name)
        monkeypatch.setattr(
            ScalarRule, name, lambda *args, method=method: (asked.append(1), method(*args))[1]
        )
    xs, cotangents, y_dot = answers(f, x, y_bar)

    assert asked == []
    rule = ScalarRule(f, PARTIALS[f], len(xs), (__file__, 1))
    for x_bar, expected in zip(cotangents[1:], rule.pull(f(*xs), xs, y_bar)[1:], strict=True):
        np.testing.assert_array_equal(x_bar, expected)
        assert np.asarray(x_bar).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(y_dot, rule.push(f(*xs), xs, (y_bar,) * len(xs)), rtol=1e-6)
    assert np.asarray(y_dot).dtype == np.asarray(x).dtype


@pytest.mark.parametrize("f", PARTIALS)
@pytest.mark.parametrize("x", OTHER, ids=shown)
def test_other_values_come_to_the_rule_itself(f, x):
    """What it says of complex numbers, integers and NaN is the answer."""
    y_bar = x if np.ndim(x) == 0 else x * 1
    xs, cotangents, y_dot = answers(f, x, y_bar)

    rule = ScalarRule(f, PARTIALS[f], len(xs), (__file__, 1))
    for x_bar, expected in zip(cotangents, rule.pull(f(*xs), xs, y_bar), strict=True):
        np.testing.assert_array_equal(x_bar, expected)
        assert type(x_bar) is type(expected)
    np.testing.assert_array_equal(y_dot, rule.push(f(*xs), xs, (y_bar,) * len(xs)))


def test_a_closure_may_hold_a_traced_value():
    """Then a call with plain arguments is its system's."""
    k = Box(2.0)

    def scaled(x):
        return k * x

    scalar_rule(scaled, lambda y, x: 2.0)
    rrule(scaled, 3.0)

    f, args, _ = backend.calls[-1]
    assert (f, args) == (scaled, (3.0,))


def test_numbers_whose_cotangent_is_zero():
    """Zeros are strong, so that the code leaves them to the rule."""
    infinite = types.FunctionType(product.__code__, globals(), "infinite")

    @scalar_rule(infinite)
    def infinite_partials(z, x: object, y: object):
        return np.inf, np.inf

    for zero in (0.0, np.float64(0.0), np.zeros(2)):
        x = zero + 1.0
        assert not np.any(rrule.unchecked(infinite, x, x)[1](zero)[1])
        assert not np.any(frule.unchecked((NoTangent(), zero, zero), infinite, x, x)[1])
