"""The equations of the table against SciPy's values; derivatives are compared where the rules are."""

import pytest

from chainrules.formulas.probabilities.distributions_on_half_lines import STANDARDS
from tests.chainrules.formulas.probabilities.equations import check_equations, present


@pytest.mark.parametrize("name", present(STANDARDS))
def test_equations(name):
    """Densities have all their constants, and the logarithms of probabilities too."""
    check_equations(STANDARDS[name], name)
