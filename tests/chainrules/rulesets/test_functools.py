"""The rules of `functools`, against finite differences."""

import functools
import math
import operator

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad
from chainrules_core import NoTangent, Tangent, frule, rrule, rrule_via_ad
from chainrules_testutils import TestConfig
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.rule_checks import check_declared, normal


def mixed(w):
    """A closure over a number."""
    return lambda x, y: w * x * y * y


def power(x, p, *, scale=1.0):
    """Has a parameter that is given by keyword only."""
    return scale * x**p


@pytest.mark.parametrize("xs", [[1.5, 2.5, 0.7], (1.5,), normal(3), [normal(2, 2), normal(2, 2, seed=1)]])
@pytest.mark.parametrize("f", [operator.mul, operator.sub])
def test_reduce(f, xs):
    """Lists, tuples and arrays."""
    check_both_modes(functools.reduce, f, xs)


def test_reduce_from_a_start():
    """Which gets a cotangent; it is the result where there is nothing else."""
    check_both_modes(functools.reduce, operator.mul, [1.5, 2.5], 3.5)
    check_both_modes(functools.reduce, operator.mul, [], 3.5)


def test_reduce_by_a_closure():
    """What it holds gets the sum of the cotangents of all calls."""
    check_calling_back(functools.reduce, mixed(2.5), [1.5, 0.5, 0.7])
    assert grad(lambda w: call(functools.reduce, mixed(w), [1.0, 2.0, w]))(3.0) == pytest.approx(4 * 4 * 27)


def test_reduce_of_nothing():
    """Python's own error."""
    with pytest.raises(TypeError, match="empty"):
        rrule(ADConfig(), functools.reduce, operator.mul, [])


def test_partial():
    """A partial holds a function and its arguments, and so does its tangent."""
    check_both_modes(functools.partial, math.pow, 1.5)
    check_both_modes(functools.partial, mixed(2.5), 1.5, normal(2))
    y, pullback = rrule(functools.partial, math.pow, 1.5)
    assert y(2.0) == 2.25
    assert pullback(Tangent[functools.partial](args=Tangent[tuple](3.0)))[2] == 3.0


def test_partial_of_a_partial_has_no_rule():
    """Python joins the two."""
    assert rrule(functools.partial, functools.partial(math.pow, 1.5), 2.0) is None
    nothing = NoTangent()
    assert frule((nothing, nothing, 1.0), functools.partial, functools.partial(math.pow, 1.5), 2.0) is None


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (functools.partial(math.pow, 1.5), (2.5,)),
        (functools.partial(math.pow), (1.5, 2.5)),
        (functools.partial(np.sum, axis=0), (normal(2, 3),)),
        (functools.partial(np.add, normal(2)), (normal(3, 2),)),
    ],
)
def test_call_of_a_partial(f, args):
    """What it holds by position gets a cotangent; options are constants."""
    check_both_modes(f, *args)


def test_call_of_a_partial_with_keywords():
    """A keyword that can be differentiated by is moved to its place, and gets its cotangent as a keyword."""
    check_calling_back(functools.partial(power, p=2.5), 1.5)
    check_calling_back(functools.partial(mixed(2.5), y=1.5), 0.5)
    _, pullback = rrule(ADConfig(), functools.partial(power, p=2.0), 3.0)
    assert pullback(1.0)[0].keywords == Tangent[dict]({"p": pytest.approx(9 * math.log(3))})


def test_keywords_of_the_call_come_before_those_of_the_partial():
    """They are constants, as all keywords of a call."""
    y, pullback = rrule(ADConfig(), functools.partial(power, p=2.0), 3.0, p=3.0)
    assert y == 27.0
    assert pullback(1.0)[1] == 27.0


def test_a_keyword_without_a_place():
    """There is no rule that would lose its derivative; AD looks into the function."""
    f = functools.partial(power, scale=2.5)
    assert rrule(ADConfig(), f, 3.0, 2.0) is None
    assert frule(TestConfig(), (NoTangent(),) * 3, f, 3.0, 2.0) is None
    f_bar, x_bar, _ = rrule_via_ad(ADConfig(), f, 3.0, 2.0)[1](1.0)
    assert f_bar == Tangent[functools.partial](keywords=Tangent[dict]({"scale": 9.0}))
    assert x_bar == 15.0


def test_options_of_the_call_stay_keywords():
    """Also where what the partial holds is moved past them."""
    y, pullback = rrule(ADConfig(), functools.partial(power, p=2.0), 3.0, scale=2.5)
    assert y == 22.5
    assert pullback(1.0)[1] == 15.0


def test_keys_for_sorting():
    """They are compared, and have no tangents."""
    check_declared(functools.cmp_to_key, operator.sub)
