"""That the law over all exercised calls notices rules that are not found by keyword."""

import numpy as np
import pytest

from chainrules_testutils import test_rrule
from tests.keyword_calls import by_keyword, called, check_found


def twice(x, /, y, *, z=0.0):
    """A function that has no rule."""
    return 2.0 * (x + y + z)


def test_testers_call_by_keyword():
    """Each function with rules of ours that they meet."""
    test_rrule(np.linalg.inv, np.eye(2))

    assert np.linalg.inv in called


def test_arguments_by_keyword():
    """All but those that the function takes by position only."""
    assert by_keyword(twice, (1.0, 2.0)) == ((1.0,), {"y": 2.0})


def test_a_call_without_a_rule():
    """It fails."""
    with pytest.raises(AssertionError, match="twice has no rule where"):
        check_found([], twice, (1.0,), {"y": 2.0})
