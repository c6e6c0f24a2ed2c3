"""The rules, by the testers of `chainrules-testutils` alone."""

import numpy as np
import pytest
from hankel_matrices import Hankel, multiply

from chainrules_core import DimensionMismatchError, ProjectTo, Tangent, rrule
from chainrules_testutils import test_frule, test_rrule

rng = np.random.default_rng(0)
COMPLEX = rng.normal(size=(2, 7)) @ rng.normal(size=(7, 7)) @ (np.eye(7) + 1j)


@pytest.mark.parametrize("v", [rng.normal(size=7), COMPLEX[0], np.ones(1)])
@pytest.mark.parametrize("kind", [float, complex])
def test_multiply(v, kind):
    """The product equals the dense matrix's, and both modes agree with differences."""
    A, x = Hankel(v), rng.normal(size=(len(v) + 1) // 2).astype(kind) * kind(1 if kind is float else 1 - 1j)
    np.testing.assert_allclose(multiply(A, x), A.to_dense() @ x, atol=1e-12)
    test_frule(multiply, A, x)
    test_rrule(multiply, A, x)


def test_precision():
    """Single precision stays single."""
    A, x = Hankel(np.ones(3, np.float32)), np.ones(2, np.float32)
    y, pullback = rrule(multiply, A, x)
    _, A_bar, x_bar = pullback(y)
    assert y.dtype == A_bar.v.dtype == x_bar.dtype == np.float32


def test_constructor():
    """Its cotangent is that of the vector."""
    test_frule(Hankel, rng.normal(size=5))
    test_rrule(Hankel, rng.normal(size=5))


def test_a_matrix_is_never_made():
    """A product of a matrix with a million rows has a cotangent of the size of its vector."""
    n = 2**20
    y, pullback = rrule(multiply, Hankel(np.ones(2 * n - 1)), np.ones(n))
    assert pullback(y)[1].v.shape == (2 * n - 1,)


def test_projection():
    """A dense cotangent is summed along antidiagonals; one of another shape is refused."""
    project = ProjectTo(Hankel(np.ones(3)))
    assert project(np.array([[1.0, 2.0], [3.0, 4.0]])) == Tangent[Hankel](v=np.array([1.0, 5.0, 4.0]))
    with pytest.raises(DimensionMismatchError, match="shape"):
        project(np.ones((3, 3)))
