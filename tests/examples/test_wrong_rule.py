"""The program that shows a wrong rule, and what the tester says about it."""

import re

import pytest

pytestmark = pytest.mark.at_length


def test_the_tester_names_the_wrong_derivative(printed):
    """Of the first rule, it says that the derivative by the variance is wrong; the mended one passes."""
    verdict, _, rest = printed.partition("The mended rule: ")

    assert re.findall(r"cotangent for input (\d+): wrong value", verdict) == ["3"]
    assert "examples/wrong_rule.py:" in verdict
    assert re.match(r"[1-9]\d* checks passed, 0 failed", rest)


def test_the_surprise_falls_by_both(printed):
    """The fit by the wrong rule looks as good as the other, and finds twice the variance."""
    falls = re.findall(r"falls from (\S+) to (\S+): mean (\S+), variance (\S+)\.", printed)
    mean, variance = map(float, re.search(r"the formulas: mean (\S+), variance (\S+)\.", printed).groups())
    wrong, right = ([float(each) for each in one] for one in falls)

    assert wrong[1] < wrong[0]
    assert right[1] < wrong[1]
    assert wrong[2:] == pytest.approx([mean, 2 * variance], rel=0.01)
    assert right[2:] == pytest.approx([mean, variance], rel=0.001)
