"""Bernoulli's numbers, against mpmath's, and the series that are made of them, against SciPy's functions."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.numerics.bernoulli import bernoulli_numbers, of_digamma, of_log_gamma, polynomial


def test_numbers():
    """Those of even order, from the second on."""
    expected = [Fraction(*map(int, mpmath.bernfrac(n))) for n in range(2, 26, 2)]
    assert bernoulli_numbers(12) == expected
    assert bernoulli_numbers(0) == []


@pytest.mark.parametrize("z", [6.0, 20.0])
def test_series(z):
    """With each term the series are nearer to their functions."""
    log_gamma = special.gammaln(z) - ((z - 0.5) * np.log(z) - z + 0.5 * np.log(2 * np.pi))
    digamma = np.log(z) - 0.5 / z - special.psi(z)
    for count in range(1, 4):
        after = z ** (-2 * count)
        assert polynomial(of_log_gamma(count), z**-2) / z == pytest.approx(log_gamma, abs=0.01 * after / z)
        assert polynomial(of_digamma(count), z**-2) / z**2 == pytest.approx(digamma, abs=0.1 * after / z**2)
