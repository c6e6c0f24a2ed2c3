"""How polynomials are printed."""

import numpy as np

from tests.chainrules.rule_checks import check_declared


def test_printing_has_no_derivative():
    """The style is a text."""
    check_declared(np.polynomial.set_default_printstyle, "unicode")
