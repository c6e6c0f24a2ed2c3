"""Constant sparse arrays, and questions about them."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import NoTangent, rrule
from tests.chainrules.rule_checks import check_quickly
from tests.chainrules.sparse_cases import sparse

QUESTIONS = [
    "issparse",
    "isspmatrix",
    *(f"isspmatrix_{name}" for name in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")),
]


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions(name):
    """Answered as by SciPy."""
    check_quickly(getattr(scipy.sparse, name), sparse())


def test_constants():
    """They depend on no element of anything."""
    check_quickly(scipy.sparse.eye, 3)
    check_quickly(scipy.sparse.eye_array, 3)
    check_quickly(scipy.sparse.identity, 3)
    check_quickly(scipy.sparse.rand, 3, 4, 0.0)
    check_quickly(scipy.sparse.random, 3, 4, 0.0)
    check_quickly(scipy.sparse.random_array, (3, 4), density=0.0)


def test_types_of_indices():
    """Of positions, which are integers."""
    assert rrule(scipy.sparse.get_index_dtype, np.arange(3))[1](1.0) == (NoTangent(), NoTangent())
    if hasattr(scipy.sparse, "safely_cast_index_arrays"):
        check_quickly(scipy.sparse.safely_cast_index_arrays, sparse())
