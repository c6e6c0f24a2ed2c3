"""The rules of filters between two changes of the rate, against finite differences."""

import numpy as np
import pytest
from scipy import signal

from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import check_quickly, check_rule, normal


@pytest.mark.parametrize("mode", ["constant", "symmetric", "reflect", "edge", "wrap"])
@pytest.mark.parametrize(("up", "down"), [(1, 1), (3, 1), (1, 2), (2, 3), (3, 2)])
def test_rates(up, down, mode):
    """Filters longer and shorter than the sequence, and as short as they can be."""
    check_quickly(signal.upfirdn, normal(8, dtype=complex), normal(3, seed=1), up, down, -1, mode)
    check_quickly(signal.upfirdn, normal(2), normal(2, 5, seed=1, dtype=complex), up, down, -1, mode)
    check_quickly(signal.upfirdn, normal(1), normal(4, 1, seed=1), up, down, axis=0, mode=mode)


@pytest.mark.parametrize("mode", ["antisymmetric", "antireflect", "smooth", "line"])
def test_combinations(mode):
    """Beyond the ends stand combinations of samples."""
    check_quickly(signal.upfirdn, normal(8, dtype=complex), normal(3, seed=1), 2, 3, -1, mode)
    check_quickly(signal.upfirdn, normal(3), normal(4, 2, seed=1), 3, 1, 0, mode)


def test_in_every_way():
    """In both precisions, with gaps, and differentiated twice; beyond the ends may stand a number."""
    check_rule(signal.upfirdn, normal(3), normal(4, 2, seed=1), 2, 3, 0)
    check_rule(signal.upfirdn, normal(3), normal(4, seed=1), 2, mode="wrap")
    check_quickly(signal.upfirdn, normal(4), normal(4, seed=1), 2, 1, -1, "constant", 1.5)
    check_quickly(signal.upfirdn, [0.3, 0.5], [1.0, 2.0, 4.0], 2)


def test_nothing():
    """Of no samples come none."""
    test_frule(signal.upfirdn, normal(3), np.zeros(0), 2)
    test_rrule(signal.upfirdn, normal(3), np.zeros(0), 2)


@pytest.mark.parametrize("mode", ["antireflect", "smooth", "line"])
def test_one_sample(mode):
    """Where no line goes through the samples, SciPy's result means nothing."""
    with pytest.raises(ValueError, match="two samples or more"):
        rrule(signal.upfirdn, normal(3), normal(1), 1, 1, -1, mode)


def test_changes_of_the_rate():
    """The functions of SciPy that are made of this one."""
    check_program(lambda x: signal.resample_poly(x, 3, 2), normal(6), order=1)
    check_program(lambda x: signal.resample_poly(x, 3, 2, padtype="line"), normal(6), order=1)
    check_program(lambda x: signal.resample_poly(x, 1, 2, window=np.ones(3) / 3), normal(6), order=1)
    check_program(lambda x: signal.decimate(x, 2, ftype="fir"), normal(6), order=1)
    check_program(lambda x: signal.resample(x, 4), normal(6), order=1)
