"""Values where a declaration has types."""

import re

import numpy as np
import pytest

from chainrules_core import RuleDefinitionError, non_differentiable, opt_out, rrule, typeof_


def label(text, number):
    """A function to declare."""
    return text * number


@pytest.mark.parametrize(
    ("declare", "said"),
    [
        (
            lambda: non_differentiable(label, "row", 3),
            "'row' is a value, and types are asked for: write `str, int`",
        ),
        (lambda: non_differentiable(label, str, np.ones(1)), "write `str, ndarray`"),
        (lambda: non_differentiable(label, str | None, varargs=3), "write `str | None, int`"),
        (lambda: non_differentiable(label, [1]), "write `list`"),
        (lambda: opt_out(rrule, typeof_(label), str, 3), "label), str, int`"),
    ],
)
def test_values(declare, said):
    """The message names the place, and the types that were meant."""
    with pytest.raises(RuleDefinitionError, match=rf"test_declared_types\.py:\d+: .*{re.escape(said)}"):
        declare()
    assert not rrule.has_own_rule(label)
