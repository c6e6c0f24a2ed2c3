"""The partial derivatives of powers where the textbook's formulas fail; the rules are tested as rules."""

import numpy as np
import pytest

from chainrules.formulas import powers
from chainrules_testutils import grad as grad_by_differences


@pytest.mark.parametrize(("x", "p"), [(1.5, 2.5), (1.5, 2), (0.5, -1.5), (2.0, 0.0), (-1.5, 3), (-1.5, -2)])
def test_by_base(x, p):
    """As finite differences say, also of negative bases to integral exponents."""
    expected = grad_by_differences(None, lambda x: x**p, x)[0]

    assert powers.by_base(x**p, x, p) == pytest.approx(expected, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize(("x", "p"), [(1.5, 2.5), (0.5, -1.5), (2.0, 0.0)])
def test_by_exponent(x, p):
    """As finite differences say, for positive bases."""
    expected = grad_by_differences(None, lambda p: x**p, p)[0]

    assert float(powers.by_exponent(x**p, x, p)) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("x", [0, 0.0, np.float64(0.0), np.zeros(2)])
def test_slope_at_zero_is_infinite_not_an_error(x):
    """Python's own numbers raise ZeroDivisionError for negative powers of zero."""
    with np.errstate(divide="ignore"):
        assert np.all(powers.by_base(x**0.5, x, 0.5) == np.inf)


def test_single_precision_is_kept():
    """What is masked is masked in the precision of the operands."""
    x = np.array([0.0, 2.0], dtype=np.float32)

    assert powers.by_exponent(x**2, x, 2).dtype == np.float32
