"""The adjoints of products."""

import numpy as np
import pytest

from chainrules.formulas.matrices.matrix_products import outer_by_first, outer_by_second, pull_matmul
from chainrules_core import unthunk
from tests.chainrules.rule_checks import normal

SHAPES = [
    ((2, 3), (3, 4)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((3,), (3,)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((2, 3), (5, 3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 1, 2, 3), (6, 3, 4)),
]


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shapes", SHAPES)
def test_matmul(shapes, dtype):
    """``⟨C_bar, dA B⟩ = ⟨A_bar, dA⟩`` and ``⟨C_bar, A dB⟩ = ⟨B_bar, dB⟩``."""
    A, B = (normal(*shape, dtype=dtype) for shape in shapes)
    A_dot, B_dot = (normal(*shape, dtype=dtype, seed=1) for shape in shapes)
    C_bar = normal(*np.shape(A @ B), dtype=dtype, seed=2)

    _, A_bar, B_bar = map(unthunk, pull_matmul(C_bar, A, B))
    assert (A_bar.shape, B_bar.shape) == shapes
    assert np.vdot(A_bar, A_dot).real == pytest.approx(np.vdot(C_bar, A_dot @ B).real)
    assert np.vdot(B_bar, B_dot).real == pytest.approx(np.vdot(C_bar, A @ B_dot).real)


def test_outer():
    """Of all elements of both, whatever their shapes."""
    x, y, z_bar = normal(2, 2, dtype=complex), normal(3, dtype=complex, seed=1), normal(4, 3, dtype=complex)

    assert np.vdot(outer_by_first(z_bar, x, y), x) == pytest.approx(np.vdot(z_bar, np.outer(x, y)))
    assert np.vdot(outer_by_second(z_bar, x, y), y) == pytest.approx(np.vdot(z_bar, np.outer(x, y)))
