"""The `frule` of a call has to be the transpose of its `rrule`."""

import re

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule, typeof_
from chainrules_testutils import RuleTestError, test_frule, test_rrule
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import RIGHT

WHERE = "agreement with the frule"


@pytest.mark.parametrize("call", RIGHT.values(), ids=RIGHT)
def test_right_rules_agree(call):
    """The check is made wherever there are both rules, and holds for right ones."""
    assert WHERE in [check.where for check in test_rrule(*call).checks]


def test_wrong_frule():
    """An `rrule` that is right does not pass alone if its `frule` is wrong; the message says which is."""

    def cube(x):
        return x**3

    @rrule.dispatch
    def cube_rrule(f: typeof_(cube), x: np.ndarray):
        return x**3, lambda y_bar: (NoTangent(), 3 * x**2 * y_bar)

    assert WHERE not in [check.where for check in test_rrule(cube, np.ones(3)).checks]

    @frule.dispatch
    def cube_frule(tangents, f: typeof_(cube), x: np.ndarray):
        return x**3, 3 * x * tangents[1]

    with pytest.raises(RuleTestError) as caught:
        test_rrule(cube, np.array([1.0, 2.0]))
    assert re.search(
        r"- agreement with the frule: the frule, tests/.*test_agreement.py:\d+, is wrong: this rrule agrees "
        r"with finite differences\.\n  actual   .*\n  expected ",
        str(caught.value),
    )
    with pytest.raises(RuleTestError, match="tangent of the output"):
        test_frule(cube, np.array([1.0, 2.0]))


def test_frules_that_raise():
    """What an `frule` raises is a failure, with the exception as its cause."""

    def broken(x):
        return 2.0 * x

    @rrule.dispatch
    def broken_rrule(f: typeof_(broken), x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    @frule.dispatch
    def broken_frule(tangents, f: typeof_(broken), x: float):
        raise KeyError("x")

    with pytest.raises(RuleTestError, match="agreement with the frule: raised KeyError: 'x'"):
        test_rrule(broken, 1.0)


def test_not_made_where_it_says_nothing():
    """Not for derivatives that are not implemented, nor for a rule that is not the registered one."""
    given = test_rrule(rules.square, 2.0, rrule_f=lambda _, f, x: rules.square_rrule(f, x))
    assert WHERE not in [check.where for check in given.checks]
    assert WHERE not in [check.where for check in test_rrule(rules.unfinished, 2.0, 3.0).checks]


def test_ambiguous_frules_are_left_to_their_own_test():
    """An ambiguous `frule` does not fail the test of the `rrule`."""

    def product(x, y):
        return x * y

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: float, y: float):
        return x * y, lambda z_bar: (NoTangent(), y * z_bar, x * z_bar)

    @frule.dispatch
    def product_frule(tangents, f: typeof_(product), x: float, y: object):
        raise NotImplementedError

    @frule.dispatch
    def other_frule(tangents, f: typeof_(product), x: object, y: float):
        raise NotImplementedError

    assert test_rrule(product, 1.0, 2.0).failed == 0

    @frule.dispatch  # so that the tables of this run hold no ambiguous rules
    def resolving_frule(tangents, f: typeof_(product), x: float, y: float):
        return x * y, x * tangents[2] + y * tangents[1]

    assert WHERE in [check.where for check in test_rrule(product, 1.0, 2.0).checks]


def test_frules_that_decline():
    """An `frule` that answers `None` says nothing about this call."""

    def doubled(x):
        return 2.0 * x

    @frule.dispatch
    def doubled_frule(tangents, f: typeof_(doubled), x: float):
        return None

    @rrule.dispatch
    def doubled_rrule(f: typeof_(doubled), x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    report = test_rrule(doubled, 1.5)

    assert report.failed == 0
    assert "agreement with the frule" not in {check.where for check in report.checks}
