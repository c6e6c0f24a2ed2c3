"""The equations of a distribution against SciPy's values, for the tests of this folder."""

import numpy as np
from scipy import stats

from tests.chainrules.makers.test_known_distributions import SHAPES


def present(standards):
    """The names of the distributions that this version of SciPy has."""
    return [name for name in standards if hasattr(stats, name)]


def check_equations(standard, name):
    """Check that its equations have SciPy's values, and where it has a density at all."""
    instance, shapes = getattr(stats, name), SHAPES[name]
    z = instance.ppf([0.02, 0.3, 0.6, 0.97], *shapes)
    np.testing.assert_allclose(standard.log_density(z, *shapes), instance.logpdf(z, *shapes), rtol=1e-9)
    for formula, method in ((standard.log_below, "logcdf"), (standard.log_above, "logsf")):
        if formula is not None:
            np.testing.assert_allclose(formula(z, *shapes), getattr(instance, method)(z, *shapes), rtol=1e-8)
    within = standard.within(*shapes) if callable(standard.within) else standard.within
    assert np.isfinite(standard.log_density(within, *shapes))
