"""Floating point error handling."""

import numpy as np

from tests.chainrules.rule_checks import check_declared


def test_settings():
    """They are read, and set as they were."""
    with np.errstate():
        check_declared(np.geterr)
        check_declared(np.seterr, **np.geterr())
        check_declared(np.geterrcall)
        check_declared(np.seterrcall, None)
    check_declared(np.errstate, divide="ignore")
