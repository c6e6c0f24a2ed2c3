"""Datetime support functions."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_declared

CALLS = [
    (np.busday_count, "2020-01-01", "2020-02-01"),
    (np.busday_offset, "2020-01-01", 1),
    (np.is_busday, "2020-01-01"),
    (np.datetime_as_string, np.datetime64("2020-01-01")),
    (np.datetime_data, np.dtype("M8[D]")),
    (np.datetime64, "2020-01-01"),
    (np.timedelta64, 3, "D"),
    (np.busdaycalendar, "1111100"),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_not_differentiable(call):
    """Dates have no tangents."""
    check_declared(*call)
