"""Calls for which there is no rule in the mode that needs it."""

import functools
import operator

import numpy as np
import pytest

from chainrules.ad import call, grad, jvp
from chainrules_core import (
    NoTangent,
    RuleNotFoundError,
    frule,
    primitive,
    rrule,
    typeof_,
)


def test_a_rule_for_one_mode_only():
    """The error in the other mode says which rule is missing."""

    @primitive
    def only_forwards(x):
        return x

    @frule.dispatch
    def only_forwards_frule(tangents, f: typeof_(only_forwards), x: float):
        return x, 5.0 * tangents[1]

    assert jvp(only_forwards, (1.0,), (1.0,)) == (1.0, 5.0)
    with pytest.raises(RuleNotFoundError, match=r"rrule\(ADConfig, .*only_forwards"):
        grad(only_forwards)(1.0)


def test_ufuncs_of_python_functions():
    """`np.frompyfunc` has no rule; the error names `np.vectorize`, which has."""
    doubled = np.frompyfunc(lambda x: x + x, 1, 1)

    with pytest.raises(RuleNotFoundError, match=r"write `np\.vectorize` in place of `np\.frompyfunc`"):
        grad(lambda x: np.sum(doubled(x)))(np.ones(2))


def test_rule_of_a_partial():
    """A rule for the very object goes before what its function does."""
    tripled = functools.partial(operator.mul, 3.0)

    @rrule.dispatch
    def tripled_rrule(f: typeof_(primitive(tripled)), x: float):
        return 3.0 * x, lambda y_bar: (NoTangent(), 100.0 * y_bar)

    assert rrule(tripled, 1.5)[1](1.0)[1] == 100.0
    for f in (primitive(tripled), functools.partial(call, tripled), lambda x: call(primitive(tripled), x)):
        assert grad(f)(1.5) == 100.0
