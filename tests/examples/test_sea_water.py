"""The program that asks how sea water answers more carbon."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_sea_becomes_acid_and_full(printed):
    """The pH falls, as is known, by a tenth since 1750; the Revelle factor rises as its derivative says."""
    states = re.findall(r"pH (\S+), Revelle factor (\S+), with 1 % more carbon (\S+)", printed)
    acidities, factors, _ = (list(map(float, values)) for values in zip(*states, strict=True))

    assert acidities[0] - acidities[1] == pytest.approx(0.14, abs=0.03)
    assert 8.0 < factors[0] < factors[1] < factors[2] < 18.0
    assert all(float(after) > float(before) for _, before, after in states)


def test_answers_are_those_measured(printed):
    """Warming raises the pressure by some 4.23 % for each degree."""
    by_degree = re.search(r"to 1 degree +\S+ +(\S+) %", printed)

    assert float(by_degree[1]) == pytest.approx(4.23, abs=0.2)
