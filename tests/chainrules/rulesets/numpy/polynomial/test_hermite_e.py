"""The rules of hermite_e, against finite differences."""

import numpy as np

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

module = np.polynomial.hermite_e


def test_weight():
    """Numbers and arrays inside of the domain."""
    check_rule(module.hermeweight, np.array([-0.7, 0.2, 0.6]))
    check_rule(module.hermeweight, 0.3)
    check_rule(module.hermeweight, np.array(0.3))


def test_points_of_quadrature():
    """They depend on an integer."""
    test_frule(module.hermegauss, 3)
    test_rrule(module.hermegauss, 3)
