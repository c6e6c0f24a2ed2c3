"""The norm of a sparse matrix: both modes, and the convention where it is zero."""

import numpy as np
import pytest
from scipy.sparse.linalg import norm

from chainrules.ad import call, grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.sparse_cases import formats, same_pattern, sparse


@formats
@pytest.mark.parametrize("dtype", [float, np.float32, complex])
def test_frobenius_norm(dtype, format):
    """The cotangent keeps the pattern."""
    A = sparse(format, dtype=dtype)
    test_frule(norm, A)
    test_rrule(norm, A)
    assert same_pattern(rrule(norm, A, "fro")[1](1.0)[1], A)


def test_zero():
    """The gradient is zero where the norm is."""
    A = 0.0 * sparse()

    assert not rrule(norm, A)[1](1.0)[1].data.any()
    assert frule((NoTangent(), sparse()), norm, A) == (0.0, 0.0)
    assert frule((NoTangent(), ZeroTangent()), norm, A)[1] is ZeroTangent()


@pytest.mark.parametrize("options", [(1,), (np.inf,), (None, 0)])
def test_other_norms_have_no_rule(options):
    """They are declined."""
    assert rrule(norm, sparse(), *options) is None
    assert frule((NoTangent(), sparse(), *(NoTangent() for _ in options)), norm, sparse(), *options) is None


def test_rule_can_be_differentiated():
    """The second derivative of the norm, along the matrix, is zero."""
    A = sparse()
    second = grad(lambda A: np.sum(grad(lambda A: call(norm, A))(A) * A))(A)

    np.testing.assert_allclose(second.toarray(), A.toarray() / norm(A), atol=1e-12)
