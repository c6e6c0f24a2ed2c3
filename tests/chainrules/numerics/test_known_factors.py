"""Factors that are given, against the matrices that they are of."""

import numpy as np
import pytest
from scipy.linalg import cholesky_banded

from chainrules.numerics.known_factors import KnownBandedCholesky, KnownCholesky, KnownLU
from tests.chainrules.numerics.test_factorizations import DTYPES, check
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import positive_definite, regular


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("is_lower", [False, True])
def test_cholesky_factors(dtype, is_lower):
    """Of either triangle."""
    S = positive_definite(4, 4, dtype=dtype)
    factor = np.linalg.cholesky(S) if is_lower else np.linalg.cholesky(S).conj().T
    check(KnownCholesky(factor, is_lower), S, normal(4, 2, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_lu_factors(dtype):
    """The factors with the rows of the matrix in order."""
    factors = regular(3, 3, dtype=dtype)
    L, U = np.tril(factors, -1) + np.eye(3, dtype=dtype), np.triu(factors)
    check(KnownLU(factors, np.array([0, 1, 2])), L @ U, normal(3, 2, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_banded_cholesky_factors(dtype):
    """As SciPy returns them."""
    bands = np.array([[0.0, 1.0, 1.0, 1.0], [4.0, 5.0, 4.0, 5.0]], dtype)
    S = np.diag(bands[1]) + np.diag(bands[0, 1:], 1) + np.diag(bands[0, 1:], -1)
    check(KnownBandedCholesky(cholesky_banded(bands), False), S, normal(4, 2, dtype=dtype))


def test_factors_that_are_given_are_regular():
    """A zero on the diagonal shows itself."""
    KnownLU(np.eye(2), np.array([0, 1])).check_regular()
