"""Filters with feedback."""

import numpy as np

from chainrules.formulas.filters.recursive_filters import normalized, pull_signal, pull_steady_state


def test_normalized():
    """Vectors of the same length, the second of which begins with one."""
    b, a, a0 = normalized(np.array([1.0]), np.array([2.0, 4.0]))

    np.testing.assert_array_equal(b, [0.5, 0.0])
    np.testing.assert_array_equal(a, [1.0, 2.0])
    assert a0 == 2.0


def test_a_filter_without_feedback():
    """Its adjoint is a correlation."""
    taps = normalized(np.array([2.0, 1.0]), np.array([1.0]))

    np.testing.assert_allclose(pull_signal(taps, np.array([[1.0, 10.0, 100.0]]), 1), [[12.0, 120.0, 200.0]])


def test_the_state_of_a_delay():
    """It holds the last sample, which is one."""
    taps = normalized(np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    b_bar, a_bar = pull_steady_state(taps, np.ones(1), np.ones(1))

    np.testing.assert_allclose(b_bar, [0.0, 1.0])
    np.testing.assert_allclose(a_bar, [-1.0, -1.0])
