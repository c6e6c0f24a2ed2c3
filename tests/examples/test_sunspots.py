"""The program that forecasts sunspots by a Gaussian process with a banded covariance matrix."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_surprise_falls(printed):
    """While it learns, the data become more probable."""
    surprises = [float(value) for value in re.findall(r"iteration +\d+ +surprise (\S+)", printed)]

    assert len(surprises) >= 3
    assert surprises == sorted(surprises, reverse=True)


def test_cycle_is_the_known_one(printed):
    """The period is near the eleven years that have been known since 1843."""
    period = re.search(r"The cycle takes (\S+) years", printed)

    assert float(period[1]) == pytest.approx(11.0, abs=0.3)


def test_next_years_are_foretold(printed):
    """One and two years ahead the forecast is better than simple ones, and its intervals are right."""
    process, *simple = re.findall(r"1 year ahead (\S+) +2 years (\S+)", printed)
    covered = re.search(r"In the 95 % interval: (\S+)", printed)

    assert len(simple) == 3
    assert float(process[0]) < 0.7 * min(float(errors[0]) for errors in simple)
    assert float(process[1]) < min(float(errors[1]) for errors in simple)
    assert 0.88 <= float(covered[1]) <= 0.99
