"""The derivatives of the logarithm of the gamma function."""

import math

import pytest

from chainrules.operations.polygamma import polygamma
from tests.chainrules.rule_checks import check_rule


@pytest.mark.parametrize("x", [0.3, 1.0, 4.5])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_polygamma(n, x):
    """Each is the derivative of the one before."""
    check_rule(polygamma.__primitive__, n, x)


def test_known_values():
    """ψ(1) = -γ and ψ'(1) = π²/6, see https://dlmf.nist.gov/5.4."""
    assert polygamma(0, 1.0) == pytest.approx(-0.5772156649015329)
    assert polygamma(1, 1.0) == pytest.approx(math.pi**2 / 6)
