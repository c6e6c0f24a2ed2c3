"""The program that trains a convolutional network."""

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
    return run_program("convolutions", folder, 10), folder


def test_loss_falls(run):
    """While it is trained, the network is surprised less."""
    losses = [float(value) for value in re.findall(r"epoch +\d+ +loss (\S+)", run[0])]

    assert len(losses) == 2
    assert losses[1] < losses[0] / 2


def test_held_out_accuracy(run):
    """The network recognises 96 of 100 digits that it has not seen."""
    accuracy = re.search(r"Accuracy on \d+ pictures held out: (\S+)", run[0])

    assert float(accuracy[1]) >= 0.96


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "convolutions.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
