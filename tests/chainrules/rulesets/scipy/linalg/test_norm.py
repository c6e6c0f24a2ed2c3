"""The rules of `scipy.linalg.norm`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import norm

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [None, 1, 2, 3, np.inf, -np.inf, 0.5])
def test_vectors(order, dtype):
    """Orders of norms of vectors."""
    check_rule(norm, normal(4, dtype=dtype), order)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrices(order, dtype):
    """Orders of norms of matrices, stored by rows and by columns."""
    check_rule(norm, normal(4, 3, dtype=dtype), order)
    check_rule(norm, np.asfortranarray(normal(4, 3, dtype=dtype)), ord=order)


@pytest.mark.parametrize(
    "named", [{"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 2)}, {"axis": (2, 0), "ord": 1}]
)
def test_axes(named):
    """Norms over some axes."""
    check_rule(norm, normal(2, 3, 2), **named)


def test_order_is_a_number():
    """A vector norm has a derivative by its order; the options have none."""
    test_frule(norm, normal(3), 2.5)
    test_rrule(norm, normal(3), 2.5)
    assert len(rrule(norm, normal(3), None, None, False, False)[1](1.0)) == 6


def test_kink_and_overflow():
    """Zero is taken at zero; large numbers do not overflow, as they do not in SciPy."""
    np.testing.assert_array_equal(grad(norm)(np.zeros(3)), 0)
    np.testing.assert_allclose(grad(norm)(np.array([3e200, 4e200])), [0.6, 0.8])
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule(norm, np.array([np.inf]))
