"""The program that fits a differential equation."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_loss_falls(printed):
    """While it is fitted, the model comes closer to the counts."""
    losses = [float(value) for value in re.findall(r"iteration +\d+ +loss (\S+)", printed)]

    assert len(losses) >= 2
    assert losses == sorted(losses, reverse=True)


def test_rates_are_those_of_the_minimum(printed):
    """The rates are near those that have been published for these counts, which had other noise."""
    rates = [float(value) for value in re.findall(r"(?:alpha|beta|gamma|delta) ([\d.]+\d)", printed)]

    assert rates == pytest.approx([0.55, 0.028, 0.80, 0.024], rel=0.3)


def test_forecast_is_better_than_simple_ones(printed):
    """The years that were held out are foretold better than by a mean, or by the year before them."""
    errors = [float(value) for value in re.findall(r"^    (?:the|as) .* (\S+)$", printed, re.MULTILINE)]

    assert len(errors) == 3
    assert errors[0] < 1.6 < min(errors[1:])
