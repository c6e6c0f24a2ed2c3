"""Kronrod's rules: their order."""

import numpy as np
import pytest

from chainrules.numerics.kronrod import kronrod


@pytest.mark.parametrize("n", [7, 10])
def test_order(n):
    """The rule of Gauss integrates powers below ``2 n``, the one of Kronrod those up to ``3 n + 1``."""
    rule = kronrod(n).on(np.array([[0.0, 0.5], [0.5, 2.0]]))
    for power in range(3 * n + 2):
        exact = 2.0 ** (power + 1) / (power + 1)
        assert rule.kronrod @ rule.places**power == pytest.approx(exact, rel=1e-12)
        if power < 2 * n:
            assert rule.gauss @ rule.places**power == pytest.approx(exact, rel=1e-12)
    assert np.all(rule.kronrod > 0.0)


def test_places():
    """The last one that QUADPACK prints for 21 of them."""
    assert kronrod(10).places[-1] == pytest.approx(0.995657163025808080735527280689003)
