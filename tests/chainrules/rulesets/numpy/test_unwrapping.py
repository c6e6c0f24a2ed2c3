"""The rules of `numpy.unwrap`, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal

PHASES = 5 * normal(3, 4)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((PHASES,), {}),
        ((PHASES, None, 0), {}),
        ((PHASES,), {"period": 3.0, "discont": 2.0}),
        ((PHASES.astype(np.float32),), {}),
        ((PHASES.astype(np.float32),), {"period": np.float64(3.0)}),
        ((np.array([0, 5, 10]),), {}),
        ((normal(0),), {}),
    ],
)
def test_unwrap(args, options):
    """What is added to a phase does not depend on it, but at the discontinuities."""
    check_rule(np.unwrap, *args, **options)
