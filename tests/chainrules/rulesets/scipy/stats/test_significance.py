"""Rules of tests of hypotheses."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules_core import ZeroTangent, rrule, unthunk
from chainrules_testutils import jacobian, test_frule, test_rrule
from tests.chainrules.container_checks import check_no_derivative
from tests.chainrules.rule_checks import record_rules
from tests.chainrules.rulesets.scipy.stats.method_checks import check_samples

A = np.array([[1.0, 0.2], [2.1, 1.7], [3.5, 0.9], [0.3, 2.2]])
B = np.array([[0.4, 1.1], [2.0, 0.3], [1.5, 3.1]])
C = np.array([[1.9, 2.5], [0.7, 0.8], [2.6, 1.4], [1.2, 2.9], [0.1, 1.0]])


@pytest.mark.parametrize("f", [stats.f_oneway, stats.bartlett])
def test_several_samples(f):
    """Of different sizes, along their first axes."""
    test_frule(f, A[:3], B, C[:2])
    test_rrule(f, A[:3], B, C[:2])
    test_rrule(f, A[:, 0], B[:, 0])


D = np.array([[0.2, 1.3], [1.4, 0.6], [0.9, 2.7], [2.2, 1.8]])
SUMMARIES = 1.2, 0.7, 5, 1.6, 0.8, 6


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (stats.levene, (A[:, 0], B[:, 0]), {"center": "mean"}),
        (stats.levene, (A[:3], B), {}),
        (stats.ttest_1samp, (A[:3, 0], 1.2), {}),
        (stats.ttest_1samp, (A[:2], 1.2), {"axis": None, "alternative": "less"}),
        (stats.ttest_rel, (A[:2], D[:2]), {"axis": -1, "alternative": "greater"}),
        (stats.ttest_ind, (A[:, 0], B[:, 0]), {}),
        (stats.ttest_ind, (A[:, 0], B[:, 0]), {"equal_var": False}),
        (stats.ttest_ind_from_stats, SUMMARIES, {"equal_var": False}),
        (stats.pearsonr, (A[:, 0], D[:, 0]), {}),
        (stats.pearsonr, (A, D), {"alternative": "less"}),
        (stats.pointbiserialr, (np.arange(4) > 1, D[:, 0]), {}),
        (stats.linregress, (A[:, 0], D[:, 1]), {"alternative": "greater"}),
    ],
)
def test_means_and_correlations(f, args, options):
    """Of Student, of Welch and of Pearson, by the samples or by what sums them up."""
    check_samples(f, *args, **options)


@pytest.mark.parametrize("f", [stats.pearsonr, stats.linregress])
def test_exact_lines(f):
    """The p-value and the error of a slope have no derivative there; other results do."""
    y, pullback = rrule(f, A[:, 0], 2.0 * A[:, 0])
    for y_bar in ((1.0, *[0.0] * (len(y) - 1)), (1.0, *[ZeroTangent()] * (len(y) - 1))):
        assert np.all(np.isfinite(unthunk(pullback(y_bar)[1])))


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


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (stats.f_oneway, (A, B), {"axis": 1}),
        (stats.f_oneway, (A,), {}),
        (stats.f_oneway, (np.ones(3), A[:, 0]), {}),
        (stats.f_oneway, (A, B), {"equal_var": False}),
        (stats.bartlett, (A, B[:1]), {}),
        (stats.bartlett, (A, B * np.nan), {"nan_policy": "omit"}),
        (stats.jarque_bera, (np.ones(3),), {}),
        (stats.chisquare, (C,), {}),
        (stats.chisquare, (C, C), {"axis": 1}),
        (stats.levene, (A, B), {"center": "trimmed"}),
        (stats.ttest_1samp, (A, D), {}),
        (stats.ttest_1samp, (A, 1.2, -3), {}),
        (stats.ttest_1samp, (A[:1], 1.2), {}),
        (stats.ttest_rel, (A, B), {}),
        (stats.ttest_ind, (A, B), {"trim": 0.1}),
        (stats.pearsonr, (A[:2, 0], D[:2, 0]), {}),
        (stats.pearsonr, (A, D), {"axis": 1}),
        (stats.linregress, (A, D), {}),
    ],
)
def test_left_to_scipy(f, args, options):
    """Calls that the compositions do not describe, or where nothing varies."""
    assert rrule(f, *args, **options) is None


def test_correlations_of_ranks():
    """They depend on the order of the numbers alone."""
    check_no_derivative(stats.weightedtau, A[:, 0], A[:, 1], rank=None)
