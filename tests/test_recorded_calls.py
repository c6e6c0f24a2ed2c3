"""That the law over all exercised calls notices derivatives that are other ones where they were recorded."""

import numpy as np
import pytest

from chainrules.ad.recording.variant import Variant
from chainrules_testutils import test_rrule
from tests import recorded_calls
from tests.recorded_calls import difference_where_recorded, nearby


def test_testers_record(monkeypatch):
    """Each rule of ours that they meet, once for arguments of the same kinds."""
    monkeypatch.setattr(recorded_calls, "tried", set())
    monkeypatch.setattr(recorded_calls, "outcomes", {"recorded": 0, "as it is": 0})
    monkeypatch.setitem(recorded_calls.settings, "on", True)
    for _ in range(2):
        test_rrule(np.linalg.inv, np.eye(2) + 0.1)

    assert recorded_calls.outcomes == {"recorded": 1, "as it is": 0}


def test_a_derivative_that_is_another_one(monkeypatch):
    """It is noticed, at the point where it was recorded and at others."""
    right = Variant.run

    def f(x):
        return np.exp(np.sin(x))

    assert difference_where_recorded(f, (0.3,), {}) is None
    monkeypatch.setattr(Variant, "run", lambda self, leaves: right(self, [1.1 * x for x in leaves]))
    assert "differs from the function" in difference_where_recorded(f, (0.3,), {})


@pytest.mark.parametrize("x", [1.0, 1j, np.float32(2.0), np.ones((2, 3), np.float32), [np.ones(2), (3.0,)]])
def test_points_nearby(x):
    """They are of the same kind, and not the same."""
    y = nearby(x, 0)
    assert type(y) is type(x)
    if not isinstance(x, list):
        assert np.asarray(y).dtype == np.asarray(x).dtype
        assert 0.0 < np.max(np.abs(y - x)) < 0.02
    assert nearby((2, "a", np.arange(2)), 0)[:2] == (2, "a")
