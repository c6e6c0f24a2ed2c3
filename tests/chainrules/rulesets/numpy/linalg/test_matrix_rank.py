"""The declaration about `numpy.linalg.matrix_rank`."""

import numpy as np

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal


def test_matrix_rank():
    """It is constant between jumps."""
    test_frule(np.linalg.matrix_rank, normal(3, 2))
    test_rrule(np.linalg.matrix_rank, normal(3, 2), 1e-8)
