"""The program that learns the kernel of a Gaussian process."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What a short run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("diabetes", folder, 20), folder


def test_surprise_falls(run):
    """While it learns, the data become more probable."""
    surprises = [float(value) for value in re.findall(r"iteration +\d+ +surprise (\S+)", run[0])]

    assert len(surprises) == 2
    assert surprises == sorted(surprises, reverse=True)


def test_held_out_patients_are_predicted(run):
    """On patients held out the learnt kernel explains more than a line, and its intervals are right."""
    process, line = (
        re.search(rf"{model} +explained (\S+) +surprise (\S+)", run[0]).groups()
        for model in ("Gaussian process", "linear regression")
    )
    covered = re.search(r"in the 95 % interval (\S+)", run[0])

    assert float(process[0]) > float(line[0]) > 0.35
    assert float(process[1]) < float(line[1])
    assert 0.9 <= float(covered[1]) <= 0.99


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "diabetes.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
