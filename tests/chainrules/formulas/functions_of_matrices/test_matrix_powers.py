"""The derivative of integer powers of matrices, against the product rule."""

import numpy as np
import pytest

from chainrules.formulas.functions_of_matrices.matrix_powers import derivative_of_power
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("n", [0, 1, 2, 5, -1, -3])
def test_product_rule(n):
    """The direction takes the place of one factor after the other."""
    A, E = normal(2, 3, 3), normal(2, 3, 3, seed=1)
    factor, direction = (A, E) if n >= 0 else (np.linalg.inv(A), -np.linalg.inv(A) @ E @ np.linalg.inv(A))
    power = np.linalg.matrix_power
    expected = sum(power(factor, i) @ direction @ power(factor, abs(n) - 1 - i) for i in range(abs(n)))

    np.testing.assert_allclose(derivative_of_power(A, n, E), expected + np.zeros_like(A), rtol=1e-9)
