"""The program that brings two pictures into line."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("registration", folder), folder


def test_the_map_is_found(run):
    """To less than a tenth of a pixel, from more than ten pixels."""
    before, after = map(float, re.findall(r"([\d.]+) pixels before, ([\d.]+) after", run[0])[0])

    assert before > 10
    assert after < 0.1


def test_each_search_ends_nearer(run):
    """Blurring spreads what lies beyond the borders, so that sharper pictures are more alike."""
    losses = [float(value) for value in re.findall(r"unlikeness ([\d.]+)", run[0])]

    assert len(losses) == 3
    assert losses == sorted(losses, reverse=True)


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "registration.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
