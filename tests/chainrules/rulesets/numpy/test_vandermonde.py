"""The rules of Vandermonde matrices, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("x", [normal(3), normal(3, dtype=complex), np.zeros(2), normal(0), normal(1)])
@pytest.mark.parametrize(
    "options", [{}, {"N": 2}, {"N": 4, "increasing": True}, {"N": 1}, {"N": 0}], ids=repr
)
def test_vander(x, options):
    """Powers in either order; at zero too."""
    check_rule(np.vander, x, **options)


def test_vander_by_position():
    """Options have no derivative."""
    check_rule(np.vander, normal(3), 4, True)
