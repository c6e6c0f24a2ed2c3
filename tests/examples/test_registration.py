"""The program that brings two pictures into line."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_the_map_is_found(printed):
    """To less than a tenth of a pixel, from more than ten pixels."""
    before, after = map(float, re.findall(r"([\d.]+) pixels before, ([\d.]+) after", printed)[0])

    assert before > 10
    assert after < 0.1


def test_each_search_ends_nearer(printed):
    """Blurring spreads what lies beyond the borders, so that sharper pictures are more alike."""
    losses = [float(value) for value in re.findall(r"unlikeness ([\d.]+)", printed)]

    assert len(losses) == 3
    assert losses == sorted(losses, reverse=True)
