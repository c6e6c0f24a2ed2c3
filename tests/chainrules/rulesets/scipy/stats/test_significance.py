"""Rules of tests of hypotheses."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import jacobian, test_frule, test_rrule
from tests.chainrules.rule_checks import record_rules

A = np.array([[1.0, 0.2], [2.1, 1.7], [3.5, 0.9], [0.3, 2.2]])
B = np.array([[0.4, 1.1], [2.0, 0.3], [1.5, 3.1]])
C = np.array([[1.9, 2.5], [0.7, 0.8], [2.6, 1.4], [1.2, 2.9], [0.1, 1.0]])


@pytest.mark.parametrize("f", [stats.f_oneway, stats.bartlett])
def test_several_samples(f):
    """Of different sizes, along their first axes."""
    test_frule(f, A, B, C)
    test_rrule(f, A, B, C)
    test_rrule(f, A[:, 0], B[:, 0])


def test_one_sample():
    """Of all numbers, and along an axis."""
    test_frule(stats.jarque_bera, C)
    test_rrule(stats.jarque_bera, C, fkwargs={"axis": 0})


@pytest.mark.parametrize("part", ["statistic", "pvalue"])
def test_frequencies(part):
    """Observed and expected ones, of equal sums."""

    def program(v):
        return getattr(stats.chisquare(v, C[:, 1] * np.sum(v) / np.sum(C[:, 1]), 1), part)

    np.testing.assert_allclose(grad(program)(C[:, 0]), jacobian(None, program, C[:, 0])[0].ravel(), rtol=1e-6)
    record_rules(stats.chisquare, C, C)


@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (stats.f_oneway, (A, B), {"axis": 1}),
        (stats.f_oneway, (A,), {}),
        (stats.f_oneway, (np.ones(3), A[:, 0]), {}),
        (stats.bartlett, (A, B), {"nan_policy": "omit"}),
        (stats.jarque_bera, (np.ones(3),), {}),
        (stats.chisquare, (C,), {}),
        (stats.chisquare, (C, C), {"axis": 1}),
    ],
)
def test_left_to_scipy(f, args, options):
    """Calls that the compositions do not describe, or where nothing varies."""
    assert rrule(f, *args, **options) is None
