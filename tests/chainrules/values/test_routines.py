"""Calls of routines that keep their arguments."""

import numpy as np
from scipy.linalg import lapack

from chainrules.rulesets.scipy.linalg.lapack import PROGRAMS
from chainrules.values.routines import kept_result


def test_nothing_is_overwritten():
    """By name or by position."""
    a = np.asfortranarray(np.eye(2) * 4.0)
    for given, named in (((a,), {"overwrite_a": 1}), ((a, 0, 1, 1), {})):
        factor, _ = kept_result(lapack.dpotrf, PROGRAMS[lapack.dpotrf], given, named)
        np.testing.assert_array_equal(factor, 2.0 * np.eye(2))
        np.testing.assert_array_equal(a, 4.0 * np.eye(2))
