"""Rules by callee, and the words for them."""

import functools
import operator

import numpy as np
import pytest
import scipy.constants

from chainrules.command_line.filed_rules import arguments_of, is_for_instances, rules_by_callee, word_for
from chainrules_core import frule, opt_out, rrule, typeof_


@pytest.mark.parametrize("rules", [frule, rrule])
def test_every_rule_is_filed(rules):
    """Every rule is filed under each callee that it names."""
    filed = rules_by_callee(rules)

    assert {method for methods in filed.values() for method in methods} == set(rules.methods())
    assert set(rules.callees()) <= set(filed)
    assert [method.name for method in filed[np.linalg.pinv]] == [f"pinv_{rules.mode.name}"]


def test_a_union_names_several():
    """A rule for two classes is found under both."""
    filed = rules_by_callee(rrule)

    assert set(filed[operator.itemgetter]) & set(filed[operator.attrgetter])


def test_arguments():
    """The types that follow the callee, in both modes alike."""
    (*_, forwards), (*_, reverse) = frule.methods(np.where), rrule.methods(np.where)

    assert arguments_of(forwards) == arguments_of(reverse)
    assert arguments_of(reverse) == "Any, Number | bool | AbstractArray, Number | bool | AbstractArray"


def test_instances():
    """A rule for calls of partials is for instances; one for making them is not."""

    class Own:
        def __call__(self, x):
            return x

    own = Own()
    for callee, expected in ((Own, True), (type[Own], False), (typeof_(Own), False), (typeof_(own), False)):

        def own_rrule(f, x): ...

        own_rrule.__annotations__ = {"f": callee, "x": float}
        rrule.dispatch(own_rrule)
        (method,) = (method for method in rrule.methods() if method.function is own_rrule)
        assert is_for_instances(method) is expected
    kinds = [is_for_instances(method) for method in rules_by_callee(rrule)[functools.partial]]
    assert sorted(kinds) == [False, True]


def test_words():
    """One for each kind of rule, and the most useful of several."""

    def looked_into(x):
        return x

    opt_out(rrule, typeof_(looked_into), float)

    assert word_for(rrule.methods(np.sin)) == "rule"
    assert word_for(rrule.methods(np.argmax)) == "zero"
    assert word_for(rrule.methods(np.put)) == "refused"
    assert word_for(rrule.methods(scipy.constants.lambda2nu)) == "follows"
    assert word_for(rrule.methods(looked_into)) == "opted out"
    assert word_for([]) == "none"
    assert word_for([*rrule.methods(np.argmax), *rrule.methods(np.sin)]) == "rule"
