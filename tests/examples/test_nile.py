"""The program that learns the variances of a Kalman filter."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_variances_are_those_that_were_published(printed):
    """Durbin and Koopman found 15099 and 1469, chapter 2.10."""
    variances = [float(value) for value in re.findall(r"(?:noise|level) (\d+)", printed)]

    assert variances[:2] == pytest.approx([15099, 1469.1], rel=0.01)


def test_level_falls_with_the_dam(printed):
    """The level before the dam, and since."""
    before, after = (float(value) for value in re.findall(r"(?:1898|1899) (\d+)", printed))

    assert before > 1050
    assert after < 900
