"""Functions that answer with truth values."""

import numpy as np
import pytest

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_declared, normal

UNARY = [
    *(np.all, np.any, np.isfinite, np.isinf, np.isnan, np.isneginf, np.isposinf),
    *(np.iscomplex, np.iscomplexobj, np.isreal, np.isrealobj, np.isfortran, np.isscalar, np.logical_not),
]
BINARY = [
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.logical_and, np.logical_or, np.logical_xor),
    *(np.allclose, np.isclose, np.array_equal, np.array_equiv),
]


@pytest.mark.parametrize("f", UNARY, ids=lambda f: f.__name__)
def test_answers_about_an_array(f):
    """The answer does not change when the array is moved a little."""
    test_frule(f, normal(3))
    test_rrule(f, normal(3))


def test_answer_about_dates():
    """Dates have no tangents."""
    check_declared(np.isnat, np.array(["2020-01-01", "NaT"], dtype="M8[D]"))


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_comparisons(f):
    """The answer does not change when the arrays are moved a little."""
    test_frule(f, normal(3), normal(2, 3, seed=1))
    test_rrule(f, normal(3), 0.5)
