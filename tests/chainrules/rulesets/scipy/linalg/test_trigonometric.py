"""The rules of trigonometric and hyperbolic functions of matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import coshm, cosm, sinhm, sinm, tanhm, tanm

from chainrules.ad import jvp
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", [cosm, sinm, tanm, coshm, sinhm, tanhm])
def test_function(f, dtype):
    """Real and complex matrices."""
    check_rule(f, normal(2, 2, dtype=dtype) / 2)


def test_derivatives_along_the_matrix():
    """There they are those of numbers: the matrix commutes with itself."""
    A = normal(3, 3)
    np.testing.assert_allclose(jvp(sinm, (A,), (A,))[1], A @ cosm(A), atol=1e-13)
    np.testing.assert_allclose(jvp(cosm, (A,), (A,))[1], -A @ sinm(A), atol=1e-13)
