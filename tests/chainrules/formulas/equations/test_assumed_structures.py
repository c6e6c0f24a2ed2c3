"""The structures that SciPy assumes: what is read, and by which factors the matrix is solved."""

import numpy as np
import pytest

from chainrules.formulas.equations.assumed_structures import structure_of
from chainrules.formulas.matrices.matrix_readings import (
    DIAGONAL,
    HERMITIAN,
    LOWER,
    SYMMETRIC,
    TRIDIAGONAL,
    UPPER,
    WHOLE,
)
from chainrules.numerics.factorizations import LU, BandedLU, Cholesky, Triangular
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import positive_definite, regular

CASES = [
    ("gen", WHOLE, LU),
    ("general", WHOLE, LU),
    ("banded", WHOLE, BandedLU),
    ("diagonal", DIAGONAL, BandedLU),
    ("tridiagonal", TRIDIAGONAL, BandedLU),
    ("lower triangular", LOWER, Triangular),
    ("upper triangular", UPPER, Triangular),
    ("pos", HERMITIAN[True], Cholesky),
    ("positive definite", HERMITIAN[True], Cholesky),
    ("sym", SYMMETRIC[True], LU),
    ("symmetric", SYMMETRIC[True], LU),
    ("her", HERMITIAN[True], LU),
    ("hermitian", HERMITIAN[True], LU),
]


@pytest.mark.parametrize(("name", "reading", "kind"), CASES)
@pytest.mark.parametrize("n", [1, 4])
def test_names(n, name, reading, kind):
    """Each name of SciPy's, for a complex matrix; the factors solve for the matrix that is read."""
    A, B = regular(n, n, dtype=complex), normal(n, 2, dtype=complex)
    structure = structure_of(name, True, True)
    factorization = structure.factorize(A)
    assert structure.reading is reading
    assert isinstance(factorization, kind)
    np.testing.assert_allclose(reading.matrix(A) @ factorization.solve(B), B, atol=1e-12)


def test_real_hermitian_matrices_are_symmetric():
    """As SciPy has it."""
    assert structure_of("her", False, False).reading is SYMMETRIC[False]


@pytest.mark.parametrize(
    ("A", "kind"),
    [
        (positive_definite(3, 3), Cholesky),
        (positive_definite(3, 3) - 3 * np.eye(3), LU),
        (np.array([[1.0, 2.0], [2.0, 1.0]]), LU),
        (np.tril(regular(3, 3)), Triangular),
        (np.triu(regular(3, 3)), Triangular),
        (regular(3, 3), LU),
    ],
)
def test_structure_that_is_found(A, kind):
    """Where nothing is assumed the elements tell; an indefinite matrix may have a positive diagonal."""
    factorization = structure_of(None, False, False).factorize(A)
    assert isinstance(factorization, kind)
    np.testing.assert_allclose(A @ factorization.solve(np.eye(len(A))), np.eye(len(A)), atol=1e-12)


def test_unknown_name():
    """It is refused, as SciPy does."""
    with pytest.raises(ValueError, match="round is not a recognized matrix structure"):
        structure_of("round", False, False)
