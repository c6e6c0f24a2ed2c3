"""The program that asks how sea water answers more carbon."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("sea_water", folder), folder


def test_sea_becomes_acid_and_full(run):
    """The pH falls, as is known, by a tenth since 1750; the Revelle factor rises as its derivative says."""
    states = re.findall(r"pH (\S+), Revelle factor (\S+), with 1 % more carbon (\S+)", run[0])
    acidities, factors, _ = (list(map(float, values)) for values in zip(*states, strict=True))

    assert acidities[0] - acidities[1] == pytest.approx(0.14, abs=0.03)
    assert 8.0 < factors[0] < factors[1] < factors[2] < 18.0
    assert all(float(after) > float(before) for _, before, after in states)


def test_answers_are_those_measured(run):
    """Warming raises the pressure by some 4.23 % for each degree."""
    by_degree = re.search(r"to 1 degree +\S+ +(\S+) %", run[0])

    assert float(by_degree[1]) == pytest.approx(4.23, abs=0.2)


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "sea_water.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
