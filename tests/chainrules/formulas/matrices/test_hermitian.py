"""Tests of Hermitian matrices that are read from one triangle, against what LAPACK reads."""

import numpy as np
import pytest

from chainrules.formulas.matrices.hermitian import half, hermitian_from, onto_triangle
from tests.chainrules.lazy_checks import lazily
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks


@pytest.mark.parametrize("is_lower", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, complex])
def test_halves(is_lower, dtype):
    """A Hermitian matrix is the sum of its half and the adjoint of that, in its precision."""
    A = normal(2, 3, 3, dtype=dtype)
    H = A + np.conj(np.swapaxes(A, 1, 2))

    part = half(H, is_lower)

    assert part.dtype == dtype
    np.testing.assert_allclose(part + np.conj(np.swapaxes(part, 1, 2)), H, rtol=1e-6)
    np.testing.assert_array_equal(part, np.tril(part) if is_lower else np.triu(part))
    for f in (half, hermitian_from, onto_triangle):
        check_stacks(lambda A, f=f: f(A, is_lower), A[0])


@pytest.mark.parametrize("is_lower", [True, False])
def test_lazy_halves(is_lower):
    """They are those of the matrix in memory."""
    pytest.importorskip("dask.array")
    A = normal(3, 3)
    np.testing.assert_array_equal(
        half(lazily(A), is_lower).compute(scheduler="synchronous"), half(A, is_lower)
    )


@pytest.mark.parametrize("is_lower", [True, False])
def test_what_lapack_reads(is_lower):
    """The other triangle may hold anything, and the imaginary part of the diagonal is not looked at."""
    A = normal(3, 3, dtype=complex)
    with_nans = A + (
        np.triu(np.full((3, 3), np.nan), 1) if is_lower else np.tril(np.full((3, 3), np.nan), -1)
    )

    H = hermitian_from(with_nans, is_lower)

    np.testing.assert_array_equal(H, H.conj().T)
    np.testing.assert_allclose(np.linalg.eigvalsh(H), np.linalg.eigvalsh(A, "L" if is_lower else "U"))


@pytest.mark.parametrize("is_lower", [True, False])
def test_cotangents_go_back_to_the_triangle(is_lower):
    """It is the adjoint of reading the triangle: ``⟨S, H(A)⟩ = ⟨onto(S), A⟩``."""
    A, S = normal(3, 3, dtype=complex), normal(3, 3, dtype=complex, seed=1)

    read, returned = np.vdot(S, hermitian_from(A, is_lower)), np.vdot(onto_triangle(S, is_lower), A)

    np.testing.assert_allclose(read.real, returned.real)
