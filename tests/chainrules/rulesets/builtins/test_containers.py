"""The rules of builtins that make containers and iterators, against finite differences."""

import pytest

from chainrules.ad import call, grad
from chainrules_core import Tangent, ZeroTangent, rrule
from chainrules_testutils import TestIterator
from tests.chainrules.container_checks import check_both_modes, check_refused
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize(
    "xs",
    [[1.5, 2.5], (1.5, "on", normal(2)), [], normal(3), normal(2, 3), normal(0), {"a": 1.5}, [[1.5], (2.5,)]],
)
@pytest.mark.parametrize("f", [list, tuple, reversed, enumerate, iter])
def test_one_iterable(f, xs):
    """Items of all kinds, in containers and arrays; the keys of a dict are constants."""
    check_both_modes(f, xs)


def test_no_iterable():
    """An empty container is made of nothing."""
    check_both_modes(tuple)
    check_both_modes(list)
    check_both_modes(zip)


@pytest.mark.parametrize(
    "options", [{}, {"reverse": True}, {"key": abs}, {"key": lambda x: -x, "reverse": True}]
)
@pytest.mark.parametrize("xs", [[2.5, -1.5, 0.5], (2.5,), [], normal(4)])
def test_sorted(xs, options):
    """The order is constant between ties."""
    check_both_modes(sorted, xs, **options)


def test_sorted_is_stable():
    """Equal items stay in their order, also in reverse."""
    assert rrule(sorted, [1.5, 0.5, 1.5])[1](Tangent[list](1.0, 2.0, 3.0))[1] == Tangent[list](2.0, 1.0, 3.0)
    y_bar = Tangent[list](1.0, 2.0, 3.0)
    assert rrule(sorted, [1.5, 0.5, 1.5], reverse=True)[1](y_bar)[1] == Tangent[list](1.0, 3.0, 2.0)


def test_enumerate_from_a_start():
    """The numbers are constants."""
    check_both_modes(enumerate, [1.5, 2.5], 3)
    check_both_modes(enumerate, [1.5, 2.5], start=3)


def test_filter():
    """What is left out gets zero; without a predicate, what is zero is left out."""
    check_both_modes(filter, lambda x: x > 1, [1.5, 0.5, 2.5])
    check_both_modes(filter, lambda x: x > 0, normal(4))
    check_both_modes(filter, None, [1.5, "", "on", 2.5])


def test_zip():
    """The shortest ends it, unless it is strict."""
    check_both_modes(zip, [1.5, 2.5], (3.5, 4.5, 5.5), normal(3))
    check_both_modes(zip, normal(2, 3), ["a", "b"], strict=True)
    with pytest.raises(ValueError, match="shorter"):
        rrule(zip, [1.5], [], strict=True)


def test_iterators_are_read_once():
    """The cotangent of an iterator is that of the tuple of its items."""
    y, pullback = rrule(list, iter([1.5, 2.5]))
    assert y == [1.5, 2.5]
    y_bar = Tangent[list](3.0, ZeroTangent())
    assert pullback(y_bar)[1] == pullback(y_bar)[1] == Tangent[tuple](3.0, ZeroTangent())
    assert rrule(list, TestIterator([1.5]))[0] == [1.5]


def test_next_is_refused():
    """It changes the iterator."""
    check_refused(next, iter([1.5]), match="builtins.next of a list_iterator .* Make a tuple")


def test_traced():
    """The rules are used by AD."""
    assert grad(lambda x: call(sorted, [3 * x, x, 2 * x])[1])(1.0) == 2.0
    assert grad(lambda x: sum(a * b for a, b in call(zip, [x, 2 * x], x * normal(2))))(1.0) != 0
