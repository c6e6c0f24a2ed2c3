"""The rules, by the testers of `chainrules-testutils` alone."""

import numpy as np
import pytest
from block_diagonals import BlockDiagonal, logdet, multiply

from chainrules_core import DimensionMismatchError, ProjectTo, rrule
from chainrules_testutils import rand_tangent, test_frule, test_rrule


@rand_tangent.dispatch
def rand_tangent_of_block_diagonal(x: BlockDiagonal, rng: object = None):
    """Tangents of the blocks, in the form that the rules return."""
    rng = np.random.default_rng(rng)
    return BlockDiagonal(tuple(rand_tangent(block, rng) for block in x.blocks))


rng = np.random.default_rng(0)
A = BlockDiagonal((rng.normal(size=(2, 2)), rng.normal(size=(3, 3)), rng.normal(size=(1, 1))))
x = rng.normal(size=6)


def test_multiply():
    """The product equals the dense matrix's, and both modes agree with differences."""
    np.testing.assert_allclose(multiply(A, x), A.to_dense() @ x)
    test_frule(multiply, A, x)
    test_rrule(multiply, A, x)


def test_logdet():
    """The determinant equals the dense matrix's, and both modes agree with differences."""
    np.testing.assert_allclose(logdet(A), np.linalg.slogdet(A.to_dense())[1])
    test_frule(logdet, A)
    test_rrule(logdet, A)


def test_cotangents_are_block_diagonal():
    """Cotangents are block-diagonal: no rule returns the zeros outside of the blocks."""
    assert isinstance(rrule(multiply, A, x)[1](x)[1], BlockDiagonal)


def test_projection():
    """A dense cotangent loses its elements outside of the blocks; one of another shape is refused."""
    full = rng.normal(size=(6, 6))
    projected = ProjectTo(A)(full).to_dense()

    np.testing.assert_array_equal(projected, full * (A.to_dense() != 0))
    with pytest.raises(DimensionMismatchError, match="shape"):
        ProjectTo(A)(np.ones((5, 5)))
