"""Integrals with singularities at their ends."""

import numpy as np
import pytest

from chainrules.numerics.double_exponential import of_positive_numbers, of_unit_interval


def test_positive_numbers():
    """Exponentials, powers, and singularities at 0."""
    t, weights = of_positive_numbers()
    assert weights @ np.exp(-t) == pytest.approx(1.0, rel=1e-13)
    assert weights @ (np.exp(-t) / np.sqrt(t)) == pytest.approx(np.sqrt(np.pi), rel=1e-12)
    assert weights @ (1.0 / (1.0 + t) ** 2) == pytest.approx(1.0, rel=1e-12)


def test_unit_interval():
    """Nodes are symmetric; logarithms and roots are no trouble."""
    t, weights = of_unit_interval()
    np.testing.assert_allclose(t, (1.0 - t)[::-1], rtol=0.0, atol=1e-15)
    assert weights @ np.log(t) == pytest.approx(-1.0, rel=1e-13)
    assert weights @ t**-0.5 == pytest.approx(2.0, rel=1e-11)
