"""Questions about sparse matrices, and the choice of a solver."""

import scipy.sparse.linalg

from tests.chainrules.rule_checks import check_quickly
from tests.chainrules.sparse_cases import sparse


def test_questions():
    """Answered as by SciPy, where it knows them."""
    for name in ("is_sptriangular", "spbandwidth"):
        if hasattr(scipy.sparse.linalg, name):
            check_quickly(getattr(scipy.sparse.linalg, name), sparse())
    check_quickly(scipy.sparse.linalg.use_solver, useUmfpack=False)  # a choice for the whole process
