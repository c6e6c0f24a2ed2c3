"""Rules made of what is known of a distribution, for a class with one method."""

import numpy as np
import pytest

from chainrules.makers.distribution_methods import Family, distribution_rule
from chainrules_core import AbstractZero, NoTangent, ZeroTangent, frule, rrule, unthunk
from tests.python_calls import functions_run_by


class Family1:
    """Distributions as SciPy has them: one shape, a location and a scale."""

    numargs = 1

    def _parse_args(self, a, loc=0, scale=1):
        return (a,), loc, scale

    def half_line(self, x, a, loc=0, scale=1):
        """``a z`` for positive z, else 0."""
        z = (np.asarray(x) - loc) / scale
        return np.where(z > 0, a * z, 0.0)


class Unknown(Family1):
    """A class of which nothing is known."""


def _partials(at):
    at.keep(np.asarray(at.y > 0))
    slope = at.shapes[0] / at.scale
    return tuple(
        None if partial is None else lambda partial=partial: at.only_inside(partial)
        for partial in (np.full_like(at.y, slope), at.z, None, -at.z * slope)
    )


METHOD = Family1.half_line
distribution_rule(METHOD, Family1, {Family1: Family(np.zeros_like)}, _partials)

X = np.array([-1.0, 2.0])


def test_modes():
    """The derivative is 0 where the result is constant; what has none has no tangent."""
    y, pullback = rrule(METHOD, Family1(), X, 3.0, 0.5, 2.0)
    bars = [unthunk(bar) for bar in pullback(np.array([1.0, 10.0]))]
    np.testing.assert_array_equal(y, [0.0, 2.25])
    assert bars[:2] == [NoTangent(), NoTangent()]
    np.testing.assert_array_equal(bars[2], [0.0, 15.0])
    assert bars[3] == 7.5
    assert bars[4] == NoTangent()
    assert bars[5] == -11.25

    x_dots = NoTangent(), NoTangent(), np.ones(2), 1.0, 1.0, ZeroTangent()
    np.testing.assert_array_equal(frule(x_dots, METHOD, Family1(), X, 3.0, 0.5, 2.0)[1], [0.0, 2.25])


def test_modes_agree():
    """Each argument has its own derivative in both modes."""
    args, dots, y_bar = (X, 3.0, 0.5, 2.0), (np.array([0.3, 0.7]), 1.3, 1.1, 0.9), np.array([1.0, 10.0])
    _, pullback = rrule(METHOD, Family1(), *args)
    _, y_dot = frule((NoTangent(), NoTangent(), *dots), METHOD, Family1(), *args)
    pulled = sum(
        np.vdot(bar, dot)
        for bar, dot in zip(map(unthunk, pullback(y_bar)[2:]), dots, strict=True)
        if not isinstance(bar, AbstractZero)
    )
    np.testing.assert_allclose(y_bar @ y_dot, pulled)


def test_no_point_of_the_support_is_looked_for():
    """Where all arguments lie in the support."""
    inside, outside = (
        functions_run_by(lambda x=x: [unthunk(bar) for bar in rrule(METHOD, Family1(), x, 3.0)[1](x)])
        for x in (np.array([1.0, 2.0]), X)
    )
    assert "Evaluation.within" not in inside
    assert "Evaluation.within" in outside


def test_defaults_and_keywords():
    """There are cotangents for what was given by position."""
    y, pullback = rrule(METHOD, Family1(), X, 3.0, scale=2.0)
    np.testing.assert_array_equal(y, [0.0, 3.0])
    assert len(pullback(np.ones(2))) == 4
    none = frule((NoTangent(),) * 4, METHOD, Family1(), X, 3.0)[1]
    assert isinstance(none, AbstractZero)


def test_nan():
    """What is undefined has an undefined derivative."""
    _, pullback = rrule(METHOD, Family1(), X, np.nan)
    assert np.isnan(unthunk(pullback(np.ones(2))[3]))


def test_others_are_not_ruled():
    """The rule declines distributions of other classes."""
    assert rrule(METHOD, Unknown(), X, 3.0) is None
    assert frule((NoTangent(),) * 4, METHOD, Unknown(), X, 3.0) is None
    with pytest.raises(TypeError):
        rrule(METHOD, Family1(), X, 3.0, shift=1.0)
