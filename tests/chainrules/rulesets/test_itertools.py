"""The rules of `itertools`, against finite differences."""

import itertools
import math
import operator

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import normal

XS = [1.5, 0.5, 2.5]


def mixed(w):
    """A closure over a number."""
    return lambda x, y: w * x * y * y


@pytest.mark.parametrize(
    ("f", "args", "named"),
    [
        (itertools.chain, (XS, (3.5,), normal(2)), {}),
        (itertools.chain, (), {}),
        (itertools.combinations, (XS, 2), {}),
        (itertools.combinations, (normal(3), 2), {}),
        (itertools.combinations_with_replacement, (XS, 2), {}),
        (itertools.compress, (XS, [1, 0, 1]), {}),
        (itertools.dropwhile, (lambda x: x > 1, XS), {}),
        (itertools.filterfalse, (lambda x: x > 1, XS), {}),
        (itertools.filterfalse, (None, ["", 1.5]), {}),
        (itertools.islice, (XS, 2), {}),
        (itertools.islice, (XS, 0, None, 2), {}),
        (itertools.pairwise, (XS,), {}),
        (itertools.permutations, (XS,), {}),
        (itertools.permutations, (XS, 2), {}),
        (itertools.product, (XS, (3.5, 4.5)), {}),
        (itertools.product, (XS,), {"repeat": 2}),
        (itertools.takewhile, (lambda x: x > 1, XS), {}),
        (itertools.zip_longest, (XS, (3.5,)), {"fillvalue": 0.5}),
        (itertools.repeat, (1.5, 3), {}),
        (itertools.repeat, (normal(2), 0), {}),
        (itertools.accumulate, (XS,), {}),
        (itertools.accumulate, (normal(3),), {}),
        (itertools.accumulate, ([],), {}),
        (itertools.accumulate, (XS, operator.mul), {}),
        (itertools.accumulate, (XS, None), {}),
        (itertools.accumulate, (XS, operator.mul), {"initial": 2.5}),
        (itertools.starmap, (math.pow, [(1.5, 2.5), [0.5, 2.0]]), {}),
        (itertools.starmap, (math.atan2, normal(3, 2)), {}),
        (itertools.starmap, (math.atan2, []), {}),
    ],
)
def test_itertools(f, args, named):
    """Each gives the tuple of what the iterator would yield."""
    check_both_modes(f, *args, **named)


def test_functions_that_are_called():
    """What a closure holds gets the sum of the cotangents of all calls."""
    check_calling_back(itertools.accumulate, XS, mixed(2.5))
    check_calling_back(itertools.starmap, mixed(2.5), [(1.5, 2.5), (0.5, 3.5)])
    assert grad(lambda w: call(itertools.accumulate, [1.0, w, 2.0], mixed(w))[-1])(2.0) == pytest.approx(128)


def test_groupby():
    """The key of a group is that of its first item, and has a derivative if it is no integer."""
    record_exercised(itertools.groupby, rrule.find(ADConfig(), itertools.groupby, XS))
    record_exercised(itertools.groupby, frule.find(ADConfig(), (None, None), itertools.groupby, XS))

    def of_integers(*xs):
        return [k * math.prod(group) ** 2 for k, group in call(itertools.groupby, xs, lambda x: x < 2)]

    def of_numbers(xs, w):
        groups = call(itertools.groupby, xs, lambda x: w * round(x) + w * w)
        return [k * sum(group) for k, group in groups]

    def of_items(*xs):
        return [k * sum(group) for k, group in call(itertools.groupby, list(xs))]

    check_program(lambda *xs: sum(of_integers(*xs)), *XS, 0.3)
    check_program(lambda xs, w: sum(of_numbers(xs, w)), np.array([1.1, 1.3, 2.2, 1.2]), 0.7)
    check_program(lambda *xs: sum(of_items(*xs)), *XS)
    assert [k for k, _ in call(itertools.groupby, "aab")] == ["a", "b"]
    assert rrule(ADConfig(), itertools.groupby, iter([1.5, 2.5]), int)[0] == ((1, (1.5,)), (2, (2.5,)))
    assert rrule.unchecked(ADConfig(), itertools.groupby, [])[1](ZeroTangent())[1] == NoTangent()


@pytest.mark.skipif(not hasattr(itertools, "batched"), reason="since Python 3.12")
def test_batched():
    """Tuples of items are given."""
    check_both_modes(itertools.batched, XS, 2)


def test_iterators_are_read_once():
    """The cotangent of an iterator is that of the tuple of its items."""
    assert rrule(itertools.pairwise, iter([1.5, 2.5]))[1](((1.0, 2.0),))[1] == Tangent[tuple](1.0, 2.0)
    assert rrule(ADConfig(), itertools.starmap, math.pow, iter([(2.0, 1.0)]))[0] == (2.0,)


def test_what_never_ends_has_no_rule():
    """Nothing could be done with it."""
    assert rrule(itertools.repeat, 1.5) is None


@pytest.mark.parametrize("times", [0, -2])
def test_no_repetition(times):
    """Nothing has the cotangent zero."""
    y, pullback = rrule(itertools.repeat, 1.5, times)

    assert y == ()
    assert pullback(Tangent[tuple]())[1] == ZeroTangent()
    assert rrule(itertools.cycle, [1.5]) is None
    assert rrule(itertools.count, 1.5) is None
