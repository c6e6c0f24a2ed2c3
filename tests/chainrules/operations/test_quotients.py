"""Division by a norm."""

from chainrules.ad import grad
from chainrules.operations.quotients import quotient_or_zero


def test_quotient():
    """A quotient, also of traced numbers."""
    assert quotient_or_zero(3.0, 2.0) == 1.5
    assert grad(lambda x: quotient_or_zero(x, 2.0))(1.0) == 0.5


def test_zero():
    """Where the norm is 0."""
    assert quotient_or_zero(0.0, 0.0) == 0.0
    assert grad(lambda x: 1.0 * x + quotient_or_zero(x, 0.0))(0.0) == 1.0
