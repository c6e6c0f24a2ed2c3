"""The partial derivatives of the arithmetic operations, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules.formulas.numbers.arithmetic import PRODUCT, QUOTIENT, REMAINDER
from chainrules_core import evaluate_partials
from chainrules_testutils import grad
from tests.chainrules.rule_checks import positive

OPERATIONS = [(operator.mul, PRODUCT), (operator.truediv, QUOTIENT), (operator.mod, REMAINDER)]


@pytest.mark.parametrize(("operation", "partials"), OPERATIONS, ids=["product", "quotient", "remainder"])
@pytest.mark.parametrize(
    ("x", "y"), [(7.5, 2.25), (-7.5, 2.25), (7.5, -2.25), (positive(3), positive(3, seed=1) + 1.0)]
)
def test_partial_derivatives(operation, partials, x, y):
    """They agree with differences by both operands, for numbers and for arrays."""
    expected = grad(None, lambda x, y: np.sum(operation(x, y)), x, y)

    for partial, by_differences in zip(partials, expected, strict=True):
        actual = np.broadcast_to(partial(operation(x, y), x, y), np.shape(x))
        np.testing.assert_allclose(actual, by_differences, rtol=1e-9, atol=1e-9)


def test_remainders_jump_by_infinity_where_the_divisor_is_zero():
    """A quotient by Python's zero is no error, but infinite, as NumPy's is."""
    with np.errstate(all="ignore"):
        assert not np.isfinite(evaluate_partials(REMAINDER[1], 0.0, 1.0, 0.0))
