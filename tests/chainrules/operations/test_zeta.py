"""The derivatives of Hurwitz's zeta function by its exponent."""

import mpmath
import numpy as np
import pytest

from chainrules.operations.zeta import zeta_derivative
from tests.chainrules.rule_checks import check_rule_in_double

RIGHT = [
    (2.0, 1.0),
    (1.1, 1.0),
    (0.5, 1.0),
    (60.0, 1.0),
    (2.5, 0.01),
    (3.0, 100.0),
    (0.25, 2.0),
    (1 + 1e-9, 1.0),
]
LEFT = [(0.0, 1.0), (-0.3, 1.0), (-2.0, 1.0), (-10.5, 1.0)]
COMPLEX = [(2 + 3j, 1.0), (0.5 + 14j, 1.0), (0.5 + 100j, 1.0), (-3 + 2j, 1.0)]


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(("s", "q"), [*RIGHT, *LEFT, *COMPLEX])
def test_accuracy(order, s, q):
    """12 digits everywhere, and 14 of real exponents above 1/4."""
    expected = complex(mpmath.zeta(s, q, order))
    rel, scale = (3e-14, 0.0) if (s, q) in RIGHT else (1e-12, 1e-15)

    assert zeta_derivative(order, s, q) == pytest.approx(expected, rel=rel, abs=scale)


def test_outside_the_domain():
    """NaN where there is no real function, and where it is not known; infinite at the pole."""
    s = np.array([2.0, 2.0, -1.0, 2.0 + 2e4j])

    assert np.isnan(zeta_derivative(1, s, [-0.5, 0.0, 2.0, 1.0])).all()
    assert not np.isfinite(zeta_derivative(1, 1.0, 1.0))


@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_shapes_and_precision(shape):
    """Those of the arguments."""
    s = np.full(shape, 2.0, np.float32)

    assert zeta_derivative(1, s, 1.0).shape == shape
    assert zeta_derivative(1, s, 1.0).dtype == np.float32


@pytest.mark.parametrize("order", [0, 1])
def test_rules(order):
    """The derivatives by the exponent and by the second argument."""
    check_rule_in_double(zeta_derivative.__primitive__, order, np.array([1.5, 3.0]), np.array([[0.5], [2.0]]))
