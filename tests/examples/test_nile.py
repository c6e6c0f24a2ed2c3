"""The program that learns the variances of a Kalman filter."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("nile", folder), folder


def test_variances_are_those_that_were_published(run):
    """Durbin and Koopman found 15099 and 1469, chapter 2.10."""
    variances = [float(value) for value in re.findall(r"(?:noise|level) (\d+)", run[0])]

    assert variances[:2] == pytest.approx([15099, 1469.1], rel=0.01)


def test_level_falls_with_the_dam(run):
    """The level before the dam, and since."""
    before, after = (float(value) for value in re.findall(r"(?:1898|1899) (\d+)", run[0]))

    assert before > 1050
    assert after < 900


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "nile.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
