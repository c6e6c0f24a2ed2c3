"""The program that fits a spline through its integral."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_integrals_are_the_months(printed):
    """No month is wrong by more than an hour."""
    assert float(re.search(r"error of a month: (\S+) hours", printed)[1]) < 1.0


def test_summer(printed):
    """The sun shines longest between June and August."""
    day, hours = re.search(r"longest on day (\d+): (\S+) hours", printed).groups()

    assert 151 <= int(day) < 243
    assert 6.5 < float(hours) < 7.5
