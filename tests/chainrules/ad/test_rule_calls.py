"""Calls for which there is no rule in the mode that needs it."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules_core import (
    RuleNotFoundError,
    frule,
    primitive,
    typeof_,
)


def test_a_rule_for_one_mode_only():
    """The other mode says which is missing."""

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
    """Have no rule; what does is named."""
    doubled = np.frompyfunc(lambda x: x + x, 1, 1)

    with pytest.raises(RuleNotFoundError, match=r"write `np\.vectorize` in place of `np\.frompyfunc`"):
        grad(lambda x: np.sum(doubled(x)))(np.ones(2))
