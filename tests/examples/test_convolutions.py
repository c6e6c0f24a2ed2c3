"""The program that trains a convolutional network."""

import re

import pytest

pytest.importorskip("sklearn")

pytestmark = pytest.mark.at_length

ARGUMENTS = (10,)


def test_loss_falls(printed):
    """While it is trained, the network is surprised less."""
    losses = [float(value) for value in re.findall(r"epoch +\d+ +loss (\S+)", printed)]

    assert len(losses) == 2
    assert losses[1] < losses[0] / 2


def test_held_out_accuracy(printed):
    """The network recognises 96 of 100 digits that it has not seen."""
    accuracy = re.search(r"Accuracy on \d+ pictures held out: (\S+)", printed)

    assert float(accuracy[1]) >= 0.96
