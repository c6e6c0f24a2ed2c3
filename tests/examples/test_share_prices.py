"""The program that fits a skewed distribution to returns."""

import re

import pytest

from tests.examples.programs import is_picture, run_program

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.at_length


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What one run prints, and the folder that it saves its picture in."""
    folder = tmp_path_factory.mktemp("output")
    return run_program("share_prices", folder), folder


def test_distribution_is_better_than_a_normal_one(run):
    """By so much that two more parameters do not explain it."""
    skewed, normal = map(
        float, re.search(r"Surprise: (\S+), of a normal distribution (\S+)", run[0]).groups()
    )

    assert skewed < normal - 50.0


def test_standard_error_is_that_of_a_bootstrap(run):
    """As far as twenty samples say."""
    loss, exact = map(
        float, re.search(r"loses more than (\S+) %, with a standard error of (\S+)", run[0]).groups()
    )
    by_bootstrap = float(re.search(r"The bootstrap's standard error: (\S+)", run[0])[1])

    assert loss == pytest.approx(6.2, abs=0.3)
    assert by_bootstrap == pytest.approx(exact, rel=0.4)


def test_picture_is_saved(run):
    """The picture is where the program says."""
    picture = run[1] / "share_prices.png"

    assert str(picture) in run[0]
    assert is_picture(picture)
