"""Functions whose rules are those of a composition."""

import numpy as np
import pytest

from chainrules.makers.composed_rules import Computed, composed_rule
from chainrules_core import NoTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule


def spread(x, y, power=2):
    """Two results, in one of which the second argument does not occur."""
    return np.sum((x - y) ** power), np.max(x) * 1.0


def _read(x, y, power=2):
    return None if power != 2 else lambda x, y: (np.sum((x - y) ** 2), np.max(x))


composed_rule(spread, _read, 2)


calls = []


def counted(x):
    """A function that is computed to find its composition."""
    calls.append(x)
    return np.sum(x**2)


composed_rule(counted, lambda x: Computed(lambda x: np.sum(x**2), counted(x)))


def test_known_values():
    """They are computed once, in both modes."""
    x = np.array([0.3, 1.2])
    test_frule(counted, x)
    test_rrule(counted, x)
    calls.clear()
    rrule(counted, x)
    frule((NoTangent(), x), counted, x)
    assert len(calls) == 2


def test_results():
    """Both modes, with several results."""
    x = np.array([0.3, 1.2, 2.5])
    test_frule(spread, x, 0.7)
    test_rrule(spread, x, 0.7)
    y, pullback = rrule(spread, x, 0.7, 2)
    assert y == spread(x, 0.7)
    assert pullback((1.0, 0.0))[3] == NoTangent()
    assert unthunk(pullback((0.0, 1.0))[1]) == pytest.approx([0.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((np.ones(2), 0.5, 3), {}),
        ((np.ones(2) + 1j, 0.5), {}),
        ((np.ones(2), 0.5), {"other": 1}),
        ((np.ones(2),), {}),
    ],
)
def test_left(args, options):
    """Calls that the composition does not describe have no rule."""
    assert rrule(spread, *args, **options) is None
    assert frule((NoTangent(),) * (len(args) + 1), spread, *args, **options) is None
