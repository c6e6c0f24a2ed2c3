"""The program that finds the conductivity of a plate."""

import re

import pytest

pytestmark = pytest.mark.at_length

ARGUMENTS = (30,)


def test_loss_falls(printed):
    """While it is fitted, the plate comes closer to the temperatures."""
    losses = [float(value) for value in re.findall(r"iteration +\d+ +loss (\S+)", printed)]

    assert len(losses) >= 2
    assert losses == sorted(losses, reverse=True)


def test_conductivities_are_found(printed):
    """The bar, the cork and the plate around them conduct about as well as those that were hidden."""
    pairs = re.findall(r"the \w+ +(\S+), actually (\S+)", printed)
    before, after = (
        float(factor) for factor in re.search(r"before the fit (\S+) +after it (\S+)", printed).groups()
    )

    assert len(pairs) == 3
    for found, actual in pairs:
        assert float(found) == pytest.approx(float(actual), rel=0.15)
    assert after - 1.0 < 0.3 * (before - 1.0)
