"""Sines over their arguments, and their derivatives."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.special_functions.quotients_of_sines import hyperbolic_sine_quotient, sine_quotient
from tests.python_calls import functions_run_by


@pytest.mark.parametrize(("quotient", "sine"), [(sine_quotient, np.sin), (hyperbolic_sine_quotient, np.sinh)])
@pytest.mark.parametrize("x", [1e-3, -0.1, 0.249, 0.251, 5.0, 0.6 + 0.7j, 2.0 - 1.0j])
def test_values(quotient, sine, x):
    """On both sides of the end of the series."""
    assert quotient(x) == pytest.approx(sine(x) / x, rel=1e-14)


@pytest.mark.parametrize(("quotient", "sign"), [(sine_quotient, -1), (hyperbolic_sine_quotient, 1)])
@pytest.mark.parametrize("x", [0.0, 1e-8, 1e-3])
@np.errstate(invalid="ignore")  # as rules have it
def test_derivatives_near_zero(quotient, sign, x):
    """``1 ± x²/6 + x⁴/120`` has the derivatives ``±x/3 + x³/30`` and ``±1/3 + x²/10``."""
    assert quotient(x) == pytest.approx(1.0 + sign * x * x / 6)
    assert grad(quotient)(x) == pytest.approx(sign * x / 3 + x**3 / 30, rel=1e-12)
    assert grad(grad(quotient))(x) == pytest.approx(sign / 3 + x * x / 10, rel=1e-12)


def test_short_way():
    """The series is computed where it is used."""
    for x, is_used in (
        (2.0, False),
        (0.1, True),
        (np.array([0.3, 2.0]), False),
        (np.array([0.1, 2.0]), True),
    ):
        assert bool(functions_run_by(lambda x=x: sine_quotient(x))["_series"]) == is_used


@pytest.mark.parametrize("quotient", [sine_quotient, hyperbolic_sine_quotient])
def test_there_is_no_seam(quotient):
    """The derivatives on both sides of the end of the series agree."""
    below, above = np.nextafter(0.25, [0.0, 2.0])

    assert grad(quotient)(below) == pytest.approx(grad(quotient)(above), rel=1e-13)
    assert grad(grad(quotient))(below) == pytest.approx(grad(grad(quotient))(above), rel=1e-12)
