"""The derivatives of ``exp(z²) erfc z``, against mpmath."""

import mpmath
import numpy as np
import pytest

from chainrules.operations.scaled_erfc import scaled_erfc
from tests.chainrules.rule_checks import check_rule

POINTS = [0.0, -2.0, 1.0, 6.0, 9.99, 10.01, 1e3, 1e8, 1 + 2j, 9 - 3j, 8 + 8j, 20j, -5j, 1e4 - 1e4j, -3 + 1j]


@pytest.mark.parametrize("z", POINTS)
def test_derivatives(z):
    """Near the origin and far away, on real and complex numbers."""
    with mpmath.workdps(80):
        z_ = mpmath.mpmathify(z)
        lower, y = 0, mpmath.exp(z_ * z_) * mpmath.erfc(z_)
        expected = [y]
        for n in range(2):
            lower, y = y, 2 * z_ * y + 2 * n * lower - (2 / mpmath.sqrt(mpmath.pi) if n == 0 else 0)
            expected.append(y)
        errors = [float(abs(scaled_erfc(n, z) / y - 1)) for n, y in enumerate(expected)]
    assert errors[0] < 1e-14
    assert errors[1] < 1e-13
    assert errors[2] < 1e-11


def test_rule():
    """Each order is the derivative of the one before."""
    check_rule(scaled_erfc.__primitive__, 1, np.array([0.3, 2.0, 12.0]))
    check_rule(scaled_erfc.__primitive__, 0, np.array([0.3 + 1j, -1.0 + 0.2j, 12.0 - 3j]))
    assert scaled_erfc(1, 2) == scaled_erfc(1, 2.0)
