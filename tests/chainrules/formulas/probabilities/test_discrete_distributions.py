"""The equations of discrete distributions against SciPy's values; derivatives are compared with the rules."""

import numpy as np
import pytest
from scipy import stats

from chainrules.formulas.probabilities.discrete_distributions import STANDARDS
from tests.chainrules.makers.test_known_discrete_distributions import SHAPES


@pytest.mark.parametrize("name", [name for name in STANDARDS if hasattr(stats, name)])
def test_equations(name):
    """Masses have all their constants, and the logarithms of probabilities too."""
    standard, instance, shapes = STANDARDS[name], getattr(stats, name), SHAPES[name]
    k = instance.ppf([0.1, 0.5, 0.9], *shapes)
    np.testing.assert_allclose(standard.log_density(k, *shapes), instance.logpmf(k, *shapes), rtol=1e-9)
    if standard.log_above is not None:
        np.testing.assert_allclose(standard.log_above(k, *shapes), instance.logsf(k, *shapes), rtol=1e-9)
