"""The derivatives of inverses."""

import numpy as np
import pytest

from chainrules.formulas.equations.inverses import pullback_of_inverse, push_inverse
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3)])
def test_both_modes(shape, dtype):
    """The tangent is that of central differences, and the cotangent its transpose."""
    A, A_dot, Y_bar = regular(*shape, dtype=dtype), *(normal(*shape, dtype=dtype, seed=i) for i in (1, 2))
    Y, h = np.linalg.inv(A), 1e-6

    Y_dot = push_inverse(Y, A_dot)
    difference = np.linalg.inv(A + h * A_dot) - np.linalg.inv(A - h * A_dot)
    np.testing.assert_allclose(Y_dot, difference / (2 * h), atol=1e-6)
    _, A_bar = pullback_of_inverse(A, Y)(Y_bar)
    assert np.vdot(A_bar, A_dot).real == pytest.approx(np.vdot(Y_bar, Y_dot).real)


@pytest.mark.parametrize("dtype", [np.float32, float])
def test_cotangents_of_other_kinds(dtype):
    """A real matrix has a real cotangent in its precision, whatever is pulled back."""
    A = regular(3, 3).astype(dtype)
    pullback = pullback_of_inverse(A, np.linalg.inv(A))

    for kind in (np.float32, float, np.complex64, complex):
        _, A_bar = pullback(normal(3, 3, dtype=kind))
        assert A_bar.dtype == dtype
        np.testing.assert_allclose(A_bar, pullback(normal(3, 3))[1], rtol=1e-4)
