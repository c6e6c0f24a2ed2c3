"""The generated code of scalar rules, as warnings, tracebacks and tools see it."""

import inspect
import linecache
import sys
import traceback
import warnings
from typing import NamedTuple

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule, scalar_rule
from chainrules_core.definition.scalar_propagation import ScalarRule
from chainrules_core.definition.scalar_rule_code import generate

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
