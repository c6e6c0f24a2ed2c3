"""What a profile shows."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from chainrules.ad import Profile, ProfileRow, profile


def columns_of(line):
    """The cells of a printed line."""
    return [cell.strip() for cell in line.split("│")[1:-1]]


def test_table():
    """It prints as a table: a line for each function, and one for all."""
    printed = str(profile(lambda x: np.sum(np.sin(x)), np.ones(1000)))

    words = ("numpy.sin", "numpy.sum", "sin_rrule", "8 kB", "backward ms")
    assert [word for word in words if word not in printed] == []
    assert "all, with everything else" in printed.splitlines()[-2]


def test_units():
    """Times are in milliseconds, and sizes in the unit that makes them short."""
    row = ProfileRow("f", "f_rrule (rules.py:3)", 3, 0.001, 0.0025, 8000, 24)
    large = ProfileRow("g", "g_rrule (rules.py:9)", 1, 1.0, 0.0, 2_500_000, 3 * 10**9)
    _, headers, _, first, second, _, total, _ = str(Profile((row, large), 1.5, 0.25)).splitlines()

    assert [cell.strip() for cell in headers.split("┃")[1:-1]] == [
        *("function", "rule", "calls", "forward ms", "backward ms", "results", "cotangents")
    ]
    assert columns_of(first) == ["f", "f_rrule (rules.py:3)", "3", "1.000", "2.500", "8 kB", "24 B"]
    assert columns_of(second) == ["g", "g_rrule (rules.py:9)", "1", "1000.000", "0.000", "2.5 MB", "3 GB"]
    assert columns_of(total) == ["all, with everything else", "", "", "1500.000", "250.000", "", ""]


def test_sizes_are_rounded_to_three_digits():
    """Where that makes a thousand, it is one of the next unit."""
    sizes = [998, 1000, 1001, 999_400, 999_499, 999_500, 1_000_400, 999_600_000]
    rows = tuple(ProfileRow("f", "rule", result_bytes=size) for size in sizes)

    written = [columns_of(line)[-2] for line in str(Profile(rows, 0.0, 0.0)).splitlines()[3:-3]]
    assert written == ["998 B", "1 kB", "1 kB", "999 kB", "999 kB", "1 MB", "1 MB", "1 GB"]


def test_seconds():
    """Those of a row are the sum of both directions."""
    assert ProfileRow("f", "rule", 1, 0.25, 0.5).seconds == 0.75


def test_profiles_stay_as_they_are():
    """What was measured is not changed later."""
    with pytest.raises(FrozenInstanceError):
        Profile((), 1.5, 0.25).forward_seconds = 0.0


def test_what_was_not_called_cost_nothing():
    """A row begins with zeros."""
    assert ProfileRow("f", "rule") == ProfileRow("f", "rule", 0, 0.0, 0.0, 0, 0)
