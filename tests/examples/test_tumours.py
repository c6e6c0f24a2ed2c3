"""The program that chooses a penalty for each measurement."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("tumours", folder), folder


def test_gradient_through_a_minimum(run):
    """It is that of differences, for which the weights are searched again."""
    exact, by_differences = re.search(r"penalty (\S+), by differences (\S+)", run[0]).groups()

    assert float(exact) == pytest.approx(float(by_differences), rel=1e-2)


def test_penalties_help(run):
    """Where they were chosen, each choice is better than the one before; on others, than hardly any."""
    losses = re.findall(r"chosen (\S+), on others (\S+),", run[0])
    chosen, others = (list(map(float, column)) for column in zip(*losses, strict=True))

    assert chosen == sorted(chosen, reverse=True)
    assert max(others[1:]) < others[0]


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "tumours.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
