"""The derivatives of ``(exp x - 1) / x`` and ``log(1 + x) / x``, against mpmath."""

import mpmath
import numpy as np
import pytest

from chainrules.operations.exprel import exprel, log1prel
from tests.chainrules.rule_checks import check_rule


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("x", [0.0, 1e-5, -0.3, -3.99, 4.01, -6.5, 30.0, -500.0, 600.0])
def test_exprel(n, x):
    """Near 0 and far away."""
    with mpmath.workdps(50):
        expected = float(mpmath.hyp1f1(n + 1, n + 2, x) / (n + 1))  # https://dlmf.nist.gov/13.4.E1
    assert exprel(n, x) == pytest.approx(expected, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("x", [0.0, 1e-5, -0.2, 0.24, 0.26, -0.9, 3.0, 100.0])
def test_log1prel(n, x):
    """Near 0 and far away."""
    with mpmath.workdps(50):
        integral = mpmath.quad(lambda t: t**n / (1 + mpmath.mpf(x) * t) ** (n + 1), [0, 1])
        expected = float((-1) ** n * mpmath.factorial(n) * integral)
    assert log1prel(n, x) == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_rules():
    """Each order is the derivative of the one before."""
    check_rule(exprel.__primitive__, 1, np.array([0.3, -2.0, 9.0]))
    check_rule(log1prel.__primitive__, 1, np.array([0.1, -0.4, 3.0]))
