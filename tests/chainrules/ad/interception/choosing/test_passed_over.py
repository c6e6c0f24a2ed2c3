"""A missing rule is told with those that were passed over on the way."""

import re

import numpy as np
import pytest
import scipy.optimize
from scipy.fftpack.convolve import convolve

from chainrules.ad import grad, jvp
from chainrules.ad.interception.choosing.passed_over import rules_passed_over
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules_core import NoTangent, RuleNotFoundError, frule, rrule, typeof_


def root(p, steps=100):
    """The root of a cubic."""
    search = scipy.optimize._optimize._minimize_scalar_bounded
    return search(lambda t: t**4 / 4 + t**2 / 2 - p * t, (-10.0, 10.0), maxiter=steps).x


@rrule.dispatch
def root_rrule(f: typeof_(root), p: float, steps: int):
    """By the implicit function theorem."""
    t = root(p, steps)
    return t, lambda t_bar: (NoTangent(), t_bar / (3 * t**2 + 1), NoTangent())


def blurred(x):
    """A function that is written in C within."""
    return np.sum(convolve(x, np.ones(3)))


@frule.dispatch
def blurred_frule(tangents, f: typeof_(blurred), x: np.ndarray):
    """It is linear."""
    return blurred(x), blurred(tangents[1])


def minimum(p):
    """A function that is given something traced, and is not entered."""
    return scipy.optimize._optimize.approx_fhess_p(np.array([p]), 1.0, np.square, 1e-6)[0]


@frule.dispatch
def minimum_frule(tangents, f: typeof_(minimum), p: float):
    """It is no matter what."""
    return minimum(p), tangents[1]


def spread(x):
    """A function whose rule has no `return`."""
    return np.sum(convolve(x, x))


@rrule.dispatch
def spread_rrule(f: typeof_(spread), x: np.ndarray):
    """It forgets to return anything."""


@pytest.mark.parametrize(
    ("differentiate", "says"),
    [
        (
            lambda: grad(spread)(np.ones(3)),
            r"\nspread_rrule \(.*\) returned None for .*pullback` is missing\.",
        ),
        (
            lambda: grad(root)(np.float32(2.0), 100),
            "`root` has rules, for other arguments: .*`p` is a float32",
        ),
        (lambda: grad(root)(2.0, 1e2), "`root` has rules, for other arguments: .*`steps` is a float"),
        (lambda: grad(root)(2.0, steps=1e2), "`root` has rules, for other arguments: .*`steps` is a float"),
        (lambda: jvp(lambda p: root(p), (2.0,), (1.0,)), "`root` has rules, but no frule, which forward"),
        (lambda: grad(blurred)(np.ones(3)), "`blurred` has rules, but no rrule, which reverse mode needs"),
        (
            lambda: jvp(minimum, (np.float32(1.0),), (np.float32(1.0),)),
            "`minimum` has .*frule.*`p` is a float32",
        ),
    ],
)
def test_rules_for_other_calls(differentiate, says):
    """The function is named, with what its rules take and what they were given."""
    with pytest.raises(RuleNotFoundError) as caught:
        differentiate()
    assert re.search(says, str(caught.value), re.DOTALL), caught.value
    assert f"{__name__.rpartition('.')[2]}.py" in str(caught.value)


def test_functions_within_others():
    """They are found where they are called."""

    def inner(x):
        return np.sum(convolve(x, np.ones(3)))

    @rrule.dispatch
    def inner_rrule(f: typeof_(inner), x: list):
        raise AssertionError

    with pytest.raises(RuleNotFoundError, match="`inner` has rules, for other arguments"):
        grad(lambda x: inner(x))(np.ones(3))


def test_nothing_to_say():
    """A function without rules was not passed over."""
    with pytest.raises(RuleNotFoundError) as caught:
        grad(lambda x: np.sum(convolve(x, np.ones(3))))(np.ones(3))
    assert "has rules" not in str(caught.value)
    assert rules_passed_over(None, ReverseTrace()) == ""
