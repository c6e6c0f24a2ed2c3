"""The program that samples the epidemic from PyMC, with SciPy's solver in its likelihood."""

import importlib.util
import re

import pytest

from tests.examples.programs import is_picture, run_program

pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("pymc", "matplotlib")),
    reason="needs PyMC and Matplotlib",
)


def test_rates_are_those_that_were_published(tmp_path):
    """The few draws of a test are around the rates that the cited article found for these counts."""
    printed = run_program("influenza/fit_pymc", tmp_path, 20, 1)
    found = re.findall(r"^    ([a-z ]+?) +([\d.]+) +from", printed, re.MULTILINE)
    means = {name: float(mean) for name, mean in found}

    # The article has 1.73 and 0.54, with the number of the ill on the first day known to be one.
    assert means["beta"] == pytest.approx(1.8, abs=0.3)
    assert means["gamma"] == pytest.approx(0.52, abs=0.12)
    assert is_picture(tmp_path / "influenza_pymc.png")
