"""Calls that no rule can be tested with: each has an error of its own, and none blames the rule."""

import itertools
import random
import re

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule, typeof_
from chainrules_testutils import PrimalAndTangent, RuleTestError, test_frule, test_rrule
from chainrules_testutils.testers.preconditions import (
    has_tangents,
    output_problems,
    tangent_misfits,
    without_projector,
)
from chainrules_testutils.values.precision import Tolerance
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import FOO, V, X

TOLERANCE = Tolerance(1e-9, 1e-9)
UNSUPPORTED = ["text", None, b"bytes", {1.0}, np.dtype(float), range(3)]
SUPPORTED = [1, True, 1.0, np.ones(2, bool), (), [], {}, (1, "a"), FOO, ZeroTangent()]


@pytest.mark.parametrize("tester", [test_frule, test_rrule])
def test_primals_that_draw_random_numbers(tester):
    """A primal that gives another result each time is told as that, before any rule is asked."""
    rng = np.random.default_rng(0)

    def noisy(x):
        return x + rng.normal()

    with pytest.raises(
        RuleTestError, match="- primal: two calls with equal arguments gave different results"
    ):
        tester(noisy, 1.0)


def test_primals_that_keep_state():
    """A primal that counts its calls is refused too, also where the result is a structure."""
    count = itertools.count()

    def counting(x):
        return {"x": x, "n": float(next(count))}

    with pytest.raises(RuleTestError, match=r"Let it make its generator from a seed\.\n  first "):
        test_rrule(counting, 1.0)


def test_rounding_is_no_randomness():
    """Sums of several threads differ in the last digits; NaN equals NaN."""
    assert list(output_problems(1.0, 1.0 + 1e-15, TOLERANCE)) == []
    assert list(output_problems(np.array([np.nan]), np.array([np.nan]), TOLERANCE)) == []


@pytest.mark.parametrize("tester", [test_frule, test_rrule])
@pytest.mark.parametrize("output", UNSUPPORTED, ids=repr)
def test_outputs_of_other_types(tester, output):
    """An output that has no tangents is refused by its type."""
    with pytest.raises(
        RuleTestError, match=f"- primal: its output, .*, is a {type(output).__qualname__}, neither"
    ):
        tester(lambda x: output, 1.0)


@pytest.mark.parametrize("output", SUPPORTED, ids=repr)
def test_outputs_that_have_tangents(output):
    """Numbers, arrays, containers and values with fields are outputs, also if nothing in them can move."""
    assert list(output_problems(output, output, TOLERANCE)) == []
    assert has_tangents(output)


@pytest.mark.parametrize(
    ("y", "y_bar", "says"),
    [
        (V, V[:2], "it has shape (2,), the output (3,)."),
        (X, X.ravel(), "it has shape (9,), the output (3, 3)."),
        (1.0, V, "it does not fit the output: a float with 1 real numbers cannot have"),
        ((1.0, 2.0), (1.0, 2.0), "a raw tuple is no tangent: write Tangent[tuple](...)."),
        ({"a": 1.0}, {"a": 1.0}, "a raw dict is no tangent"),
        ((1.0, 2.0), 1.0, "it does not fit the output"),
        ((1.0, 2.0), Tangent[tuple](1.0), "it does not fit the output: it has other fields or items."),
        (FOO, Tangent[rules.Pair](a=1.0), "it does not fit the output"),
        (1.0, "text", "it does not fit the output"),
    ],
)
def test_misfitting_output_tangents(y, y_bar, says):
    """The message says what does not fit, and shows a tangent that does."""
    (check,) = tangent_misfits(y, y_bar, "output_tangent", "output")

    assert f"output_tangent: {says}" in check.message
    assert "\nA tangent of this output is, for example, " in check.message


@pytest.mark.parametrize(
    ("y", "y_bar"),
    [
        (1.0, 2.0),
        (1.0, ZeroTangent()),
        (1.0, np.float64(2.0)),
        (V, V),
        ((1.0, 2.0), Tangent[tuple](1.0, ZeroTangent())),
        ((1.0, 2), Tangent[tuple](1.0, NoTangent())),
        (FOO, Tangent[rules.Foo](A=X)),
        (FOO, FOO),
        (3, NoTangent()),
        (1j, 1.0),
    ],
)
def test_fitting_output_tangents(y, y_bar):
    """Output tangents that fit pass: zeros, missing fields, natural tangents."""
    assert list(tangent_misfits(y, y_bar, "output_tangent", "output")) == []


def test_misfits_are_raised_by_the_testers():
    """Both testers refuse before they ask the rule."""
    for tester in (test_frule, test_rrule):
        with pytest.raises(
            RuleTestError, match=re.escape("1 of 1 checks failed\n- output_tangent: it does not")
        ):
            tester(rules.square, 2.0, output_tangent=V)


def halved(x):
    """A function of a real number, with rules that leave integers alone."""
    return x / 2


@rrule.dispatch
def halved_rrule(f: typeof_(halved), x: int | float):
    """The reverse rule."""
    return x / 2, lambda y_bar: (NoTangent(), NoTangent() if isinstance(x, int) else y_bar / 2)


@frule.dispatch
def halved_frule(tangents, f: typeof_(halved), x: int | float):
    """The forward rule."""
    return x / 2, tangents[1] / 2


@pytest.mark.parametrize("tester", [test_frule, test_rrule])
def test_integers_that_mean_reals(tester):
    """A test in which nothing moves is no test: 3 is not 3.0."""
    with pytest.raises(
        RuleTestError, match=r"- arguments: each of them is an integer.*Write 3\.0 where 3 means"
    ):
        tester(halved, 3)
    assert tester(halved, 3.0).failed == 0


def test_the_integer_that_means_a_real_is_named():
    """Not an argument beside it that no float takes the place of."""

    def power_of_half(is_inverse, n):
        return 2.0**n if is_inverse else 0.5**n

    def declared(config, f, is_inverse, n):
        return f(is_inverse, n), lambda y_bar: (NoTangent(), NoTangent(), NoTangent())

    with pytest.raises(RuleTestError, match=r"Write 3\.0 where 3 means"):
        test_rrule(power_of_half, True, 3, rrule_f=declared)


def test_integers_that_mean_integers():
    """Arrays of integers, arguments said to be integers, and those without effect are tested with them."""
    three = PrimalAndTangent(3, NoTangent())
    assert test_rrule(rules.square, three).failed == 0
    assert test_frule(rules.square, three).failed == 0
    assert test_frule(np.mean, np.arange(3)).failed == 0
    for constant in (np.zeros, lambda n: 1.0, lambda n: n // 3, int):
        report = test_frule(constant, 3, frule_f=lambda config, tangents, f, n: (f(n), ZeroTangent()))
        assert report.failed == 0


class Block(random.Random):
    """Written in C, as the blocks of a series of pandas are."""


class Series:
    """What stands for a series of pandas."""

    def __init__(self, values):
        self.block = Block()
        self.block.values, self.block.place = memoryview(values), 0

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.block.values)

    def to_numpy(self):
        """The array."""
        return np.asarray(self.block.values)


class Frame:
    """What stands for a frame, whose array is no field of it."""

    __slots__ = ()

    def __array__(self, dtype=None, copy=None):
        return np.ones(2)


class Labelled(Frame):
    """It has fields, too."""

    def __init__(self):
        self.label = "a"


def squares(x):
    """Of whatever has an array."""
    return float(np.sum(np.asarray(x) ** 2))


@rrule.dispatch
def squares_rrule(f: typeof_(squares), x: object):
    """Returns an array for it."""
    return squares(x), lambda y_bar: (NoTangent(), 2 * y_bar * np.asarray(x))


def test_arguments_without_a_projector():
    """The test says so, and what to write: before it takes them apart, or beside the cotangent."""
    with pytest.raises(
        RuleTestError, match=r"- input 2: a Series has no projector, .*Write `x\.to_numpy\(\)` in its place"
    ):
        test_rrule(squares, Series(np.ones(2)))
    assert list(without_projector(Labelled(), "input 2")) == []
    with pytest.raises(
        RuleTestError, match=r"cannot be perturbed; (.|\n)*a Frame has no projector, .* `np\.asarray\(x\)`"
    ):
        test_rrule(squares, Frame())
