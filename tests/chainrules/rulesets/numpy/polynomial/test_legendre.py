"""The rules of legendre, against finite differences."""

import numpy as np

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

module = np.polynomial.legendre


def test_weight():
    """Numbers and arrays inside of the domain."""
    check_rule(module.legweight, np.array([-0.7, 0.0, 0.6]))
    check_rule(module.legweight, 0.3)
    check_rule(module.legweight, np.array(0.3))


def test_points_of_quadrature():
    """They depend on an integer."""
    test_frule(module.leggauss, 3)
    test_rrule(module.leggauss, 3)
