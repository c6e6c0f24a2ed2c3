"""The program that fits a differential equation."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("lynx_and_hare", folder), folder


def test_loss_falls(run):
    """While it is fitted, the model comes closer to the counts."""
    losses = [float(value) for value in re.findall(r"iteration +\d+ +loss (\S+)", run[0])]

    assert len(losses) >= 2
    assert losses == sorted(losses, reverse=True)


def test_rates_are_those_of_the_minimum(run):
    """The rates are near those that have been published for these counts, which had other noise."""
    rates = [float(value) for value in re.findall(r"(?:alpha|beta|gamma|delta) ([\d.]+\d)", run[0])]

    assert rates == pytest.approx([0.55, 0.028, 0.80, 0.024], rel=0.3)


def test_forecast_is_better_than_simple_ones(run):
    """The years that were held out are foretold better than by a mean, or by the year before them."""
    errors = [float(value) for value in re.findall(r"^    (?:the|as) .* (\S+)$", run[0], re.MULTILINE)]

    assert len(errors) == 3
    assert errors[0] < 1.6 < min(errors[1:])


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "lynx_and_hare.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
