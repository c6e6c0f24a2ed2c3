"""The adjoints of contractions."""

import itertools

import numpy as np
import pytest

from chainrules.formulas.arrays.contractions import contraction_by_first, contraction_by_second
from tests.chainrules.rule_checks import normal

X, Y = normal(2, 3, 4, dtype=complex), normal(4, 2, 3, dtype=complex, seed=1)


@pytest.mark.parametrize("pairs", list(itertools.permutations([(0, 1), (1, 2), (2, 0)])))
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_adjoints(pairs, count):
    """``Re<z_bar, z(x)> = Re<x_bar, x>``, for pairs of axes in any order, and so for ``y``."""
    axes = tuple(zip(*pairs[:count], strict=True)) or ((), ())
    z = np.tensordot(X, Y, axes)
    z_bar = normal(*z.shape, dtype=complex, seed=2)
    expected = np.vdot(z_bar, z).real

    for bar, x in (
        (contraction_by_first(z_bar, X, Y, *axes), X),
        (contraction_by_second(z_bar, X, Y, *axes), Y),
    ):
        assert bar.shape == x.shape
        assert np.vdot(bar, x).real == pytest.approx(expected)
