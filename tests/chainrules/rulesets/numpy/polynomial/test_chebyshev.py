"""The rules of chebyshev, against finite differences."""

import numpy as np

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

module = np.polynomial.chebyshev


def test_weight():
    """Numbers and arrays inside of the domain."""
    check_rule(module.chebweight, np.array([-0.7, 0.2, 0.6]))
    check_rule(module.chebweight, 0.3)
    check_rule(module.chebweight, np.array(0.3))


def test_points_of_quadrature():
    """They depend on an integer."""
    test_frule(module.chebgauss, 3)
    test_rrule(module.chebgauss, 3)
    test_rrule(module.chebpts1, 3)
    test_frule(module.chebpts1, 3)
    test_rrule(module.chebpts2, 3)
    test_frule(module.chebpts2, 3)
