"""Samples in boxes."""

import numpy as np
import pytest
from scipy.stats import qmc

from chainrules.ad import grad
from chainrules_testutils import test_frule, test_rrule

X, LOW, HIGH = np.array([[0.2, 0.7], [0.9, 0.4], [0.5, 0.1]]), np.array([-2.0, 0.3]), np.array([6.0, 5.0])


@pytest.mark.every_case
@pytest.mark.parametrize("reverse", [False, True])
def test_scale(reverse):
    """By the sample and both bounds."""
    x = qmc.scale(X, LOW, HIGH) if reverse else X
    test_frule(qmc.scale, x, LOW, HIGH, fkwargs={"reverse": reverse})
    test_rrule(qmc.scale, x, LOW, HIGH, fkwargs={"reverse": reverse})


def test_lists():
    """An engine follows SciPy's code."""
    assert grad(lambda x: np.sum(qmc.scale(x, [-2, 0], [6, 5])))(X)[0] == pytest.approx([8.0, 5.0])
