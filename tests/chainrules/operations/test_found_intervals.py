"""The intervals of an integral, of numbers and of a traced integrand."""

import numpy as np

from chainrules.ad import grad
from chainrules.operations.found_intervals import intervals_of


def test_intervals():
    """They cover the whole, and are the same where the integrand holds what is traced."""
    seen = []

    def area(p):
        seen.append(intervals_of(lambda t: p * np.exp(-(((t - 3.3) / 0.02) ** 2)), 0.0, 10.0))
        return p

    area(0.7)
    assert grad(area)(0.7) == 1.0
    plain, traced = seen
    assert type(traced) is np.ndarray
    np.testing.assert_array_equal(plain, traced)
    np.testing.assert_array_equal(plain[1:, 0], plain[:-1, 1])
    assert (plain[0, 0], plain[-1, 1]) == (0.0, 10.0)
    assert intervals_of(np.cos, 0.0, 1.0) is None
