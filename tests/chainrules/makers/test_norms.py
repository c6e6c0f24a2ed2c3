"""Rules of norms, for a norm of our own."""

import numpy as np

from chainrules.makers.norms import norm_over, norm_rules, read_norm
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal


def length(x, order=2):
    """The norm of all elements, in double precision."""
    return np.float64(np.linalg.norm(np.ravel(x), order))


def _read(x, order=2):
    return norm_over(order, tuple(range(np.ndim(x))), np.ndim(x), False, False)


norm_rules(length, _read)


def test_rules_of_a_norm():
    """Both modes, by the array and by the order; the tangent is of the kind of the result."""
    for x in (normal(3, 2), normal(3, 2, dtype=complex), normal(4).astype(np.float32)):
        test_frule(length, x)
        test_rrule(length, x)
    test_frule(length, normal(3), fkwargs={"order": 3.5})
    test_rrule(length, normal(3), fkwargs={"order": 3.5})
    test_frule(length, normal(3), 3.5)
    test_rrule(length, normal(3), 3.5)


def test_reading_of_options():
    """As `numpy.linalg.norm` understands them."""
    x = normal(2, 3, 4)
    assert read_norm(x[0]) == norm_over(2, (0, 1), 2, False, False)
    assert read_norm(x[0], 1) == norm_over(1, (0, 1), 2, False, True)
    assert read_norm(x, axis=(0, -1)) == norm_over("fro", (0, 2), 3, False, True)
    assert read_norm(x, None, 1, True) == norm_over(2, (1,), 3, True, False)
    assert read_norm(x, axis=1).kept(np.zeros((2, 4))).shape == (2, 1, 4)
