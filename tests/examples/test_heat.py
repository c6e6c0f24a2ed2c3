"""The program that finds the conductivity of a plate."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What a short run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("heat", folder, 30), folder


def test_loss_falls(run):
    """While it is fitted, the plate comes closer to the temperatures."""
    losses = [float(value) for value in re.findall(r"iteration +\d+ +loss (\S+)", run[0])]

    assert len(losses) >= 2
    assert losses == sorted(losses, reverse=True)


def test_conductivities_are_found(run):
    """The bar, the cork and the plate around them conduct about as well as those that were hidden."""
    pairs = re.findall(r"the \w+ +(\S+), actually (\S+)", run[0])
    before, after = (
        float(factor) for factor in re.search(r"before the fit (\S+) +after it (\S+)", run[0]).groups()
    )

    assert len(pairs) == 3
    for found, actual in pairs:
        assert float(found) == pytest.approx(float(actual), rel=0.15)
    assert after - 1.0 < 0.3 * (before - 1.0)


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "heat.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
