"""Linear recurrences and their rules, against finite differences."""

import numpy as np
import pytest

from chainrules.operations.recurrences import after_zero, recurrence, recurrence_backwards
from chainrules_core import NoTangent, ZeroTangent, frule
from chainrules_core.dispatch.callees import unwrap_primitive
from tests.chainrules.rule_checks import check_kinds, check_rule, normal


def test_recurrence():
    """Each element is the one before times a ratio, plus what is added; the other way round from the end."""
    a, b = np.array([2.0, 3.0]), np.array([1.0, 10.0, 100.0])

    assert recurrence(a, b).tolist() == [1.0, 12.0, 136.0]
    assert recurrence_backwards(a, b).tolist() == [621.0, 310.0, 100.0]
    assert b.tolist() == [1.0, 10.0, 100.0]


@pytest.mark.parametrize("f", [recurrence, recurrence_backwards])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (normal(3), normal(4, seed=1)),
        (normal(2, 2), normal(3, 2, seed=1)),
        (np.zeros(2), normal(3)),
        (normal(2, dtype=complex), normal(3, seed=1)),
        (normal(0), normal(1)),
        (normal(0), normal(0)),
        (normal(2, dtype=np.float32), normal(3, dtype=np.float32)),
    ],
)
def test_rules(f, a, b):
    """By the ratios and by what is added, to second order; of one element and of none."""
    check_rule(unwrap_primitive(f), a, b)
    if np.isrealobj(a) and np.isrealobj(b):
        check_kinds(unwrap_primitive(f), a, b)


@pytest.mark.parametrize("f", [recurrence, recurrence_backwards])
def test_rules_without_tangents(f):
    """What has no tangent contributes nothing."""
    a, b = normal(2), normal(3, seed=1)
    f = unwrap_primitive(f)

    np.testing.assert_array_equal(frule((NoTangent(), ZeroTangent(), b), f, a, b)[1], f(a, b))
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), f, a, b)[1] == ZeroTangent()


def test_after_zero():
    """A zero before the first of each column."""
    assert after_zero(np.array([[1.0, 2.0]])).tolist() == [[0.0, 0.0], [1.0, 2.0]]
