"""The program that learns the kernel of a Gaussian process."""

import re

import pytest

pytest.importorskip("sklearn")

pytestmark = pytest.mark.at_length

ARGUMENTS = (20,)


def test_surprise_falls(printed):
    """While it learns, the data become more probable."""
    surprises = [float(value) for value in re.findall(r"iteration +\d+ +surprise (\S+)", printed)]

    assert len(surprises) == 2
    assert surprises == sorted(surprises, reverse=True)


def test_held_out_patients_are_predicted(printed):
    """On patients held out the learnt kernel explains more than a line, and its intervals are right."""
    process, line = (
        re.search(rf"{model} +explained (\S+) +surprise (\S+)", printed).groups()
        for model in ("Gaussian process", "linear regression")
    )
    covered = re.search(r"in the 95 % interval (\S+)", printed)

    assert float(process[0]) > float(line[0]) > 0.35
    assert float(process[1]) < float(line[1])
    assert 0.9 <= float(covered[1]) <= 0.99
