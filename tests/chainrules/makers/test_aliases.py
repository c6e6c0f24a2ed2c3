"""Rules of functions that are another function by another name."""

import numpy as np

from chainrules.makers.aliases import alias_rule, method_rule
from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal


def total(x, **named):
    """The sum of all elements, kept as an array."""
    return np.sum(x, keepdims=True, **named)


def reshaped(x, *lengths, order="C"):
    """An array in a shape that is given as several arguments."""
    return np.reshape(x, lengths, order=order)


alias_rule(total, np.sum, keepdims=True)
method_rule(reshaped, np.reshape, lambda *lengths: (lengths,))


def test_alias():
    """Fixed options keep the alias's values, and other options may be chosen."""
    check_rule(total, normal(2, 3))
    check_rule(total, normal(2, 3), axis=1)


def test_arguments_in_another_way():
    """One cotangent for each argument that was given."""
    check_rule(reshaped, normal(2, 3), 3, 2)
    check_rule(reshaped, normal(2, 3), 6, order="F")
    assert len(rrule(reshaped, normal(2, 3), 3, 2, 1)[1](np.ones((3, 2, 1)))) == 5


def test_what_has_no_rule():
    """An alias has rules for what its function has rules for."""
    assert rrule(total, "text") is None
    assert frule((NoTangent(),) * 3, reshaped, "text", 1) is None
