"""The equations of the table against SciPy's values; derivatives are compared where the rules are."""

import numpy as np
import pytest
from scipy import stats

from chainrules.formulas.probabilities.distributions_on_intervals import STANDARDS
from tests.chainrules.makers.test_known_distributions import SHAPES

PRESENT = [name for name in STANDARDS if hasattr(stats, name)]


@pytest.mark.parametrize("name", PRESENT)
def test_equations(name):
    """Densities have all their constants, and the logarithms of probabilities too."""
    standard, instance, shapes = STANDARDS[name], getattr(stats, name), SHAPES[name]
    z = instance.ppf([0.02, 0.3, 0.6, 0.97], *shapes)
    np.testing.assert_allclose(standard.log_density(z, *shapes), instance.logpdf(z, *shapes), rtol=1e-9)
    for formula, method in ((standard.log_below, "logcdf"), (standard.log_above, "logsf")):
        if formula is not None:
            np.testing.assert_allclose(formula(z, *shapes), getattr(instance, method)(z, *shapes), rtol=1e-8)
    within = standard.within(*shapes) if callable(standard.within) else standard.within
    assert np.isfinite(standard.log_density(within, *shapes))
