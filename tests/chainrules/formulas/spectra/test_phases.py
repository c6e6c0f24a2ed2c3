"""Tests of the phases of complex vectors, by turning vectors whose phase is wrong."""

import numpy as np

from chainrules.formulas.spectra.phases import (
    is_largest,
    is_row,
    phase_component,
    phase_cotangent,
    phase_rate,
)
from tests.chainrules.rule_checks import normal


def vectors(is_real):
    """Complex columns of which one component each is real."""
    V = normal(3, 3, dtype=complex)
    component = np.sum(np.where(is_real, V, 0), axis=0)
    return V * (np.abs(component) / component)


def test_chosen_components():
    """One component of each column: a row of them, from either end, or the largest."""
    V = np.array([[1.0, -3.0], [2.0j, 0.5]])

    np.testing.assert_array_equal(is_row(V, 0), [[True], [False]])
    np.testing.assert_array_equal(is_row(V, -1), [[False], [True]])
    np.testing.assert_array_equal(is_row(V[:1], -1), [[True]])
    np.testing.assert_array_equal(is_largest(V), [[False, True], [True, False]])
    np.testing.assert_array_equal(is_largest(np.ones((2, 1))), [[True], [False]])
    assert is_largest(np.empty((0, 2, 2))).shape == (0, 2, 2)


def test_component_stays_real():
    """The derivative is turned by such a rate that the chosen component changes by a real number."""
    is_real = is_row(np.eye(3), 1)
    V, V_dot = vectors(is_real), normal(3, 3, dtype=complex, seed=1)

    turned = V_dot + 1j * phase_rate(V, V_dot, is_real) * V

    np.testing.assert_allclose(turned[1].imag, 0, atol=1e-14)


def test_adjoint():
    """In reverse: ``⟨V_bar, V_dot + i c V⟩ = ⟨V_bar + what is added, V_dot⟩``."""
    is_real = is_row(np.eye(3), 0)
    V, V_dot, V_bar = vectors(is_real), *(normal(3, 3, dtype=complex, seed=seed) for seed in (1, 2))

    turned = V_dot + 1j * phase_rate(V, V_dot, is_real) * V
    pulled = V_bar + phase_cotangent(V, phase_component(V, V_bar), is_real)

    np.testing.assert_allclose(np.vdot(V_bar, turned).real, np.vdot(pulled, V_dot).real)


def test_component_that_is_zero():
    """It determines no phase, so that nothing is turned."""
    V = np.array([[1e-17, 1.0], [1j, 0.0]])

    np.testing.assert_array_equal(phase_rate(V, 1j * np.ones((2, 2)), is_row(V, 0)), [0.0, -1.0])
