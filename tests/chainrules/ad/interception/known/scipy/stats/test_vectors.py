"""Distributions of vectors whose code is followed."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats import _multivariate

from chainrules.ad import grad
from chainrules.ad.traced.tracing import is_traced


@pytest.mark.parametrize(
    "program", [lambda alpha: stats.dirichlet.entropy(alpha), lambda alpha: stats.dirichlet(alpha).entropy()]
)
def test_the_code_is_followed(program, monkeypatch):
    """SciPy's check of the parameters is given the traced ones, which a rule would not hand on."""
    seen, check = [], _multivariate._dirichlet_check_parameters
    monkeypatch.setattr(
        _multivariate,
        "_dirichlet_check_parameters",
        lambda alpha: seen.append(is_traced(alpha)) or check(alpha),
    )
    grad(program)(np.array([1.2, 2.3]))
    assert seen
    assert all(seen)
