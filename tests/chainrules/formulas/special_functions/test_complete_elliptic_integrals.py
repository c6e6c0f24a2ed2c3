"""Derivatives of complete elliptic integrals by their parameter."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.formulas.special_functions.complete_elliptic_integrals import (
    first_kind_by_m,
    second_kind_by_m,
)
from tests.python_calls import functions_run_by

PARAMETERS = [
    1e-300,
    1e-9,
    -1e-3,
    0.1,
    0.14999,
    0.15001,
    -0.14999,
    -0.1501,
    0.5,
    0.999,
    1 - 1e-12,
    -3.0,
    -1e8,
]


@pytest.mark.parametrize("m", PARAMETERS)
def test_accuracy(m):
    """Nearly all digits, on both sides of the ends of the series."""
    K, E = special.ellipk(m), special.ellipe(m)
    with mpmath.workdps(400):
        k = mpmath.mpf(m)
        first, second = mpmath.ellipk(k), mpmath.ellipe(k)
        by_m = float((second - (1 - k) * first) / (2 * k * (1 - k))), float((second - first) / (2 * k))

    assert first_kind_by_m(K, E, m, 1.0 - m) == pytest.approx(by_m[0], rel=3e-15)
    assert second_kind_by_m(K, E, m) == pytest.approx(by_m[1], rel=3e-15)


def test_short_way():
    """The series is computed where it is used."""
    for m, is_used in ((np.array([0.5, -3.0]), False), (np.array([0.5, 0.1]), True)):
        K, E = special.ellipk(m), special.ellipe(m)
        assert (
            bool(functions_run_by(lambda m=m, K=K, E=E: second_kind_by_m(K, E, m))["_polynomial"]) == is_used
        )


def test_ends():
    """``±π/8`` at 0, and infinite at 1; in arrays too."""
    m = np.array([0.0, 1.0, 0.5])
    K, E = special.ellipk(m), special.ellipe(m)
    with np.errstate(all="ignore"):
        first, second = first_kind_by_m(K, E, m, 1.0 - m), second_kind_by_m(K, E, m)

    np.testing.assert_array_equal(first[:2], [np.pi / 8, np.inf])
    np.testing.assert_array_equal(second[:2], [-np.pi / 8, -np.inf])
    assert np.isfinite([first[2], second[2]]).all()
