"""The rules of convolutions and correlations, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal

LENGTHS = [(5, 3), (3, 5), (3, 2), (2, 3), (3, 3), (4, 4), (1, 2), (2, 1), (5, 4), (4, 5)]


@pytest.mark.parametrize("f", [np.convolve, np.correlate], ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_modes(n, m, mode, f):
    """Odd and even lengths of either vector."""
    check_rule(f, normal(n), normal(m, seed=1), mode)


@pytest.mark.parametrize("f", [np.convolve, np.correlate], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "dtypes", [(complex, complex), (float, complex), (complex, float), (np.float32, float)]
)
@pytest.mark.parametrize(("n", "m"), [(4, 2), (2, 4)])
def test_other_elements(n, m, dtypes, f):
    """Correlations conjugate the second vector."""
    for options in ({}, {"mode": "same"}):
        check_rule(f, normal(n, dtype=dtypes[0]), normal(m, dtype=dtypes[1], seed=1), **options)


def test_numbers():
    """A number is a vector of one element."""
    check_rule(np.convolve, normal(3), 1.5)
    check_rule(np.convolve, np.array(1.5), normal(3))
