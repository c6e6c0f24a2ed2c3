"""Functions that are called in the place of others."""

import itertools

from chainrules.ad.interception.hook import choose
from chainrules.ad.interception.replacements import PLAIN, REPLACEMENTS, replaces
from tests.chainrules.ad.while_traced import while_traced


def test_replacing():
    """Where calls are intercepted, one function stands for another."""

    def one():
        return 1

    @replaces(one)
    def other():
        return 2

    try:
        assert while_traced(1.0, lambda x: one()) == 2
        assert one() == 1
    finally:
        del REPLACEMENTS[one]


def test_plain_functions():
    """They are themselves, unless they call a method of an object of the user's."""
    assert choose(itertools.count) is itertools.count
    assert choose(print) is print
    assert set(REPLACEMENTS) >= PLAIN
