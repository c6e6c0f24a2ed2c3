"""A program with rules of builtins, operators and NumPy's functions for its class, in a process of its own.

Each rule says that the slope is 100, so that the use of it shows; the methods of the class say that it is 2.
"""

import copy
import math
import operator

import numpy as np

from chainrules.ad import call, explain_calls, grad, jvp
from chainrules_core import NoTangent, Tangent, frule, non_differentiable, opt_out, rrule, typeof_


def doubled(money, *others):
    """The body of most methods."""
    return 2.0 * money.amount


class Money:
    """A class whose operators and conversions double its amount."""

    def __init__(self, amount):
        self.amount = amount

    def __copy__(self):
        return self.amount

    __abs__ = __neg__ = __pos__ = __invert__ = __round__ = __float__ = __complex__ = __len__ = doubled
    __add__ = __radd__ = __iadd__ = __sub__ = __matmul__ = __pow__ = __divmod__ = __lt__ = __gt__ = doubled
    __mul__ = __rmul__ = __getitem__ = __contains__ = sqrt = doubled


def give_rules(f):
    """Rules of `f` for one argument of the class, or two operands of which one at least is of the class."""

    @rrule.dispatch(typeof_(f))
    def money_rrule(f, money: Money, *others: object):
        def money_pullback(y_bar):
            return NoTangent(), Tangent[Money](amount=100.0 * y_bar), *(NoTangent() for _ in others)

        return 1.0, money_pullback

    @rrule.dispatch(typeof_(f))
    def number_rrule(f, x: float | int, money: Money):
        return 1.0, lambda y_bar: (NoTangent(), NoTangent(), Tangent[Money](amount=100.0 * y_bar))

    @frule.dispatch(typeof_(f))
    def money_frule(tangents, f, money: Money, *others: object):
        return 1.0, 100.0 * tangents[1].amount

    @frule.dispatch(typeof_(f))
    def number_frule(tangents, f, x: float | int, money: Money):
        return 1.0, 100.0 * tangents[2].amount


def added_in_place(x):
    """An augmented assignment."""
    money = Money(x)
    money += 1.0
    return money


def subtracted_in_place(x):
    """One of an operator for which the class has no method of its own."""
    money = Money(x)
    money -= 1.0
    return money


# By function: programs that call it, by name or by syntax.
PROGRAMS = {
    abs: [lambda x: abs(Money(x)), lambda x: next(map(abs, [Money(x)])), lambda x: call(abs, Money(x))],
    float: [lambda x: float(Money(x))],
    complex: [lambda x: complex(Money(x))],
    round: [lambda x: round(Money(x)), lambda x: round(Money(x), 2)],
    divmod: [lambda x: divmod(Money(x), 2.0)],
    pow: [lambda x: pow(Money(x), 2.0)],
    len: [lambda x: len(Money(x))],
    sum: [lambda x: sum(Money(x))],
    max: [lambda x: max(Money(x), 2.0)],
    sorted: [lambda x: sorted(Money(x))],
    reversed: [lambda x: reversed(Money(x))],
    list: [lambda x: list(Money(x))],
    copy.copy: [lambda x: copy.copy(Money(x))],
    math.sin: [lambda x: math.sin(Money(x))],
    math.fsum: [lambda x: math.fsum(Money(x))],
    operator.neg: [lambda x: -Money(x), lambda x: operator.neg(Money(x))],
    operator.pos: [lambda x: +Money(x)],
    operator.invert: [lambda x: ~Money(x)],
    operator.add: [
        lambda x: Money(x) + 2.0,
        lambda x: 2.0 + Money(x),
        lambda x: x * 0.0 + Money(x),
        lambda x: operator.add(Money(x), 2.0),
        lambda x: sum([Money(x)]),
    ],
    operator.sub: [lambda x: Money(x) - 2.0, subtracted_in_place],
    operator.iadd: [added_in_place, lambda x: operator.iadd(Money(x), 1.0)],
    operator.matmul: [lambda x: Money(x) @ 2.0],
    operator.pow: [lambda x: Money(x) ** 2.0],
    operator.lt: [lambda x: Money(x) < 2.0, lambda x: operator.lt(Money(x), 2.0)],
    operator.getitem: [lambda x: Money(x)[0], lambda x: operator.getitem(Money(x), 0)],
    np.abs: [lambda x: np.abs(Money(x)), lambda x: call(np.abs, Money(x))],
    np.sqrt: [lambda x: np.sqrt(Money(x))],
    np.add: [lambda x: np.add(Money(x), 2.0), lambda x: np.add(x * 0.0, Money(x))],
    np.linalg.norm: [lambda x: np.linalg.norm(Money(x))],
    np.cumsum: [lambda x: np.cumsum(Money(x), 0)],
    np.array: [lambda x: np.array(Money(x))],
}


def check_that_rules_win():
    """In both modes, however the function is called, over the method of the class."""
    for f, programs in PROGRAMS.items():
        give_rules(f)
        for program in programs:
            assert grad(program)(1.5) == jvp(program, (1.5,), (1.0,))[1] == 100.0, f


def check_that_other_calls_are_as_before():
    """Of numbers beside the class; of the class with nothing traced in it; of another class."""

    class Other(Money):
        def __add__(self, other):
            return 3.0 * self.amount

    opt_out(rrule, typeof_(operator.add), Other, object)

    assert grad(lambda x: abs(Money(x)) + abs(x))(1.5) == 101.0
    assert grad(lambda x: np.abs(Money(x)) + np.abs(x))(1.5) == 101.0
    assert grad(lambda x: abs(Money(1.0)) * x)(1.5) == 2.0
    assert grad(lambda x: Other(x) + 2.0)(1.5) == 3.0
    assert grad(lambda x: Money(x) * 2.0)(1.5) == 2.0  # no rule
    assert grad(lambda x: x if 3.0 in Money(x) else 0.0)(1.5) == 1.0


def check_that_rules_of_the_other_mode_are_left_alone():
    """The body of a method is entered forwards, where there is a rule backwards alone."""

    @rrule.dispatch
    def mul_rrule(f: typeof_(operator.mul), money: Money, y: float):
        return 1.0, lambda y_bar: (NoTangent(), Tangent[Money](amount=100.0 * y_bar), NoTangent())

    assert grad(lambda x: Money(x) * 2.0)(1.5) == 100.0
    assert jvp(lambda x: Money(x) * 2.0, (1.5,), (1.0,))[1] == 2.0


def check_what_is_refused_otherwise():
    """A class whose instances would lose a derivative; a function that writes."""

    @rrule.dispatch
    def matrix_rrule(f: typeof_(np.matrix), x: float):
        return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)

    @rrule.dispatch
    def put_rrule(f: typeof_(np.put), money: Money, indices: int, v: float):
        return 1.0, lambda y_bar: (NoTangent(), Tangent[Money](amount=100.0), NoTangent(), NoTangent())

    assert grad(lambda x: np.matrix(x))(1.5) == 100.0
    assert grad(lambda x: np.put(Money(x), 0, 1.0))(1.5) == 100.0


def check_what_is_explained():
    """Operators and functions that move values are said to have been served by a rule."""
    for program in (lambda x: abs(Money(x)), lambda x: Money(x)[0], lambda x: copy.copy(Money(x))):
        (row,) = [row for row in explain_calls(program, 1.5).rows if row.outcome == "rule"]
        assert row.how.startswith("money_rrule (")


def check_that_membership_may_be_declared():
    """As non-differentiable: the class's own method, which could not be entered, answers as it is."""
    non_differentiable(operator.contains, Money, object)
    assert grad(lambda x: x if 3.0 in Money(x) else 0.0)(1.5) == 1.0


if __name__ == "__main__":
    check_that_rules_win()
    check_that_other_calls_are_as_before()
    check_that_rules_of_the_other_mode_are_left_alone()
    check_what_is_refused_otherwise()
    check_what_is_explained()
    check_that_membership_may_be_declared()
