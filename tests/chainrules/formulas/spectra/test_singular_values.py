"""The derivatives of singular values, against finite differences."""

import numpy as np
import pytest

from chainrules.formulas.spectra.singular_values import pull_singular_values, push_singular_values
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 3), (3, 4)])
def test_both_modes(shape, dtype):
    """The tangent is that of central differences, and the cotangent its transpose."""
    A, A_dot, h = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1), 1e-6
    y, s_bar = np.linalg.svd(A, full_matrices=False), normal(3, seed=2)

    s_dot = push_singular_values(y, A_dot)
    ahead, behind = (np.linalg.svd(A + t * A_dot, compute_uv=False) for t in (h, -h))
    np.testing.assert_allclose(s_dot, (ahead - behind) / (2 * h), atol=1e-7)
    assert np.vdot(pull_singular_values(y, s_bar), A_dot).real == pytest.approx(np.vdot(s_bar, s_dot))


def test_a_value_of_zero():
    """At its kink it has the derivative zero."""
    y = np.linalg.svd(np.diag([1.0, 0.0]))

    np.testing.assert_allclose(pull_singular_values(y, np.ones(2)), np.diag([1.0, 0.0]))
