"""The program that chooses a penalty for each measurement."""

import re

import pytest

pytest.importorskip("sklearn")

pytestmark = pytest.mark.at_length


def test_gradient_through_a_minimum(printed):
    """It is that of differences, for which the weights are searched again."""
    exact, by_differences = re.search(r"penalty (\S+), by differences (\S+)", printed).groups()

    assert float(exact) == pytest.approx(float(by_differences), rel=1e-2)


def test_penalties_help(printed):
    """Where they were chosen, each choice is better than the one before; on others, than hardly any."""
    losses = re.findall(r"chosen (\S+), on others (\S+),", printed)
    chosen, others = (list(map(float, column)) for column in zip(*losses, strict=True))

    assert chosen == sorted(chosen, reverse=True)
    assert max(others[1:]) < others[0]
