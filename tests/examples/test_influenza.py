"""Three programs that fit one differential equation, with one rule, from NumPy, PyTorch and JAX."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from chainrules_core import NoTangent
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule
from tests.examples.programs import ROOT, is_picture, run_program

pytest.importorskip("matplotlib")

FRAMEWORKS = ("numpy", "torch", "jax")


@pytest.fixture(scope="module")
def model():
    """The module with the solver and its rule."""
    path = ROOT / "examples" / "influenza" / "model.py"
    spec = importlib.util.spec_from_file_location("influenza_model", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_rule(model):
    """It agrees with finite differences, in both modes."""
    days = np.array([0.0, 2.0, 5.0])
    days = PrimalAndTangent(days, NoTangent())
    # The solver's own error is 1e-9 of some hundred boys, and differences divide it by steps of 1e-3.
    assert test_rrule(model.ill, model.START, days, rtol=1e-5, atol=1e-4).passed > 5
    assert test_frule(model.ill, model.START, days, rtol=1e-5, atol=1e-4).passed > 5


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_fit(framework, tmp_path):
    """Each framework finds the same minimum, and saves its picture."""
    pytest.importorskip(framework)
    printed = run_program(f"influenza/fit_{framework}", tmp_path)
    rates = re.search(r"beta ([\d.]+), gamma ([\d.]+) a day; typical error ([\d.]+) boys", printed)

    # Sixteen boys of 763: the minimum that SciPy's least squares finds too, by differences.
    assert [float(number) for number in rates.groups()] == pytest.approx([1.788, 0.4557, 16.01], rel=1e-2)
    assert is_picture(Path(tmp_path) / f"influenza_{framework}.png")


def test_minimum_is_found_by_differences_too(model):
    """Another optimiser, without the rule, comes to the same rates."""
    from scipy.optimize import least_squares  # noqa: PLC0415 - only here

    result = least_squares(lambda p: model.ill(p, model.DAYS) - model.IN_BED, model.START, x_scale=0.1)
    assert np.exp(result.x[:2]) == pytest.approx([1.788, 0.4557], rel=1e-2)
