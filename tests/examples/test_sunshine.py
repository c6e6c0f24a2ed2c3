"""The program that fits a spline through its integral."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("sunshine", folder), folder


def test_integrals_are_the_months(run):
    """No month is wrong by more than an hour."""
    assert float(re.search(r"error of a month: (\S+) hours", run[0])[1]) < 1.0


def test_summer(run):
    """The sun shines longest between June and August."""
    day, hours = re.search(r"longest on day (\d+): (\S+) hours", run[0]).groups()

    assert 151 <= int(day) < 243
    assert 6.5 < float(hours) < 7.5


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "sunshine.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
