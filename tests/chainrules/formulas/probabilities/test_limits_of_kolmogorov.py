"""The score of Kolmogorov's limit, against mpmath."""

import mpmath
import numpy as np
import pytest

from chainrules.formulas.probabilities.limits_of_kolmogorov import score


@pytest.mark.parametrize("z", [0.1, 0.4, 0.99, 1.0, 2.5, 12.0])
def test_score(z):
    """In both series, in arrays too."""
    with mpmath.workdps(40):

        def log_density(z):
            sign = sum((-1) ** (k - 1) * k**2 * mpmath.exp(-2 * k**2 * z**2) for k in range(1, 80))
            return mpmath.log(8 * z * sign)

        if z < 0.4:  # in the other series, whose terms are so small that the first is all

            def log_density(z):
                a = mpmath.pi**2 / 8
                return mpmath.log(2 * a / z**4 - 1 / z**2) - a / z**2

        expected = float(mpmath.diff(log_density, mpmath.mpf(z)))
    assert score(z) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(score(np.array([[z], [z]])), [[expected], [expected]], rtol=1e-12)
