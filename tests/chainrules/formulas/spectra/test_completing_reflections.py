"""How the vectors turn that complete the bases of full decompositions."""

import numpy as np
import pytest
import scipy.linalg

from chainrules.ad import jvp
from chainrules.formulas.spectra.completing_reflections import turn_of_complement
from tests.chainrules.rule_checks import normal

DECOMPOSITIONS = {
    "numpy svd": np.linalg.svd,
    "scipy svd": scipy.linalg.svd,
    "scipy svd by gesvd": lambda A: scipy.linalg.svd(A, lapack_driver="gesvd"),
    "numpy qr": lambda A: np.linalg.qr(A, "complete"),
    "scipy qr": scipy.linalg.qr,
    "scipy qr with pivots": lambda A: scipy.linalg.qr(A, pivoting=True)[:2],
    "null space": lambda A: (scipy.linalg.null_space(np.conjugate(A.T)),),
    "scipy rq": lambda A: scipy.linalg.rq(np.conjugate(A.T))[::-1],
}


@pytest.mark.every_case
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(3, 2), (5, 2), (5, 4), (6, 1), (8, 5), (2, 5), (1, 3), (4, 4)])
@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_full_decompositions(name, shape, dtype):
    """All vectors are pushed forwards as they move, those too that complete the bases."""
    f = DECOMPOSITIONS[name]
    A, A_dot, h = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1), 1e-3

    dots = jvp(f, (A,), (A_dot,))[1]

    for place in (0, -1) if "svd" in name else (0,):
        near, far = ((f(A + t * A_dot)[place] - f(A - t * A_dot)[place]) / (2 * t) for t in (h, 2 * h))
        expected = (4 * near - far) / 3
        np.testing.assert_allclose(dots[place], expected, atol=1e-6 * np.max(np.abs(expected), initial=0.0))


def test_second_derivatives():
    """They are those of the first ones."""
    A, A_dot, h = normal(5, 2), normal(5, 2, seed=1), 1e-4

    def pushed(A):
        return jvp(lambda A: np.linalg.svd(A)[0][:, 4], (A,), (A_dot,))[1]

    expected = (pushed(A + h * A_dot) - pushed(A - h * A_dot)) / (2 * h)
    np.testing.assert_allclose(jvp(pushed, (A,), (A_dot,))[1], expected, atol=1e-5 * np.max(np.abs(expected)))


def test_stacks():
    """Each matrix of a stack by itself."""
    A, A_dot = normal(2, 5, 3), normal(2, 5, 3, seed=1)
    U2 = np.linalg.svd(A)[0][..., 3:]

    turns = turn_of_complement(A, A_dot, U2)

    for turn, *each in zip(turns, A, A_dot, U2, strict=True):
        np.testing.assert_allclose(turn, turn_of_complement(*each))


def test_other_vectors():
    """Of vectors that LAPACK did not make in a known way nothing is known; one alone cannot turn."""
    A, A_dot = normal(5, 3), normal(5, 3, seed=1)
    U2 = np.linalg.svd(A)[0][:, 3:]

    assert not np.any(turn_of_complement(A, A_dot, U2[:, ::-1]))
    assert not np.any(turn_of_complement(0.0 * A, A_dot, U2))
    B = normal(3, 2)
    assert np.array_equal(turn_of_complement(B, B, np.linalg.svd(B)[0][:, 2:]), [[0.0]])
