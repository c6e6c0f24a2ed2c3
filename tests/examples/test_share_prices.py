"""The program that fits a skewed distribution to returns."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_distribution_is_better_than_a_normal_one(printed):
    """By so much that two more parameters do not explain it."""
    skewed, normal = map(
        float, re.search(r"Surprise: (\S+), of a normal distribution (\S+)", printed).groups()
    )

    assert skewed < normal - 50.0


def test_standard_error_is_that_of_a_bootstrap(printed):
    """As far as twenty samples say."""
    loss, exact = map(
        float, re.search(r"loses more than (\S+) %, with a standard error of (\S+)", printed).groups()
    )
    by_bootstrap = float(re.search(r"The bootstrap's standard error: (\S+)", printed)[1])

    assert loss == pytest.approx(6.2, abs=0.3)
    assert by_bootstrap == pytest.approx(exact, rel=0.4)
