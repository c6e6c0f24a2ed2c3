"""Generating index arrays."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_declared, check_quickly, normal

CALLS = [
    (np.diag_indices, 3),
    (np.diag_indices_from, normal(3, 3)),
    (np.mask_indices, 3, np.triu),
    (np.indices, (2, 3)),
    (np.tril_indices, 3),
    (np.tril_indices_from, normal(3, 3)),
    (np.triu_indices, 3),
    (np.triu_indices_from, normal(3, 3)),
    (np.ravel_multi_index, (1, 2), (3, 4)),
    (np.unravel_index, 5, (3, 4)),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0].__name__)
def test_indices(call):
    """They depend on shapes alone."""
    check_quickly(*call)


def test_iteration():
    """All indices of a shape are given one by one, without derivatives."""
    check_declared(np.ndindex, 2, 3)
