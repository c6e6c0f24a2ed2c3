"""The rules of operators on periodic sequences, against finite differences."""

import mpmath
import numpy as np
import pytest
import scipy.fftpack

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double, normal

OPERATORS = {
    "tilbert": (0.7,),
    "itilbert": (0.7,),
    "cs_diff": (0.3, -0.7),
    "sc_diff": (-0.3, 0.7),
    "ss_diff": (0.3, 0.7),
    "cc_diff": (0.3, 0.7),
    "shift": (0.4,),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    """By the sequence, the parameters and the period."""
    f, parameters = getattr(scipy.fftpack, name), OPERATORS[name]
    check_rule_in_double(f, normal(5), *parameters, 4.0)


@pytest.mark.parametrize("name", OPERATORS)
def test_sequences(name):
    """Of even length, short ones, complex ones, and in single precision."""
    f, parameters = getattr(scipy.fftpack, name), OPERATORS[name]
    check_rule_in_double(f, normal(6), *parameters)
    for x in (normal(4, dtype=complex), normal(2), normal(1)):
        test_frule(f, x, *parameters, None)
        test_rrule(f, x, *parameters, fkwargs={"period": 3.0})
    test_rrule(f, normal(6, dtype=np.float32), *parameters)


@pytest.mark.parametrize("order", [-2, -1, 0, 1, 2, 3])
def test_diff(order):
    """Each order, also an integral; the highest frequency is none."""
    check_rule_in_double(scipy.fftpack.diff, normal(6), order)
    check_rule_in_double(scipy.fftpack.diff, normal(5), order, 3.0)
    test_rrule(scipy.fftpack.diff, normal(6, dtype=complex), fkwargs={"order": order})


@pytest.mark.parametrize("f", [scipy.fftpack.hilbert, scipy.fftpack.ihilbert])
def test_hilbert_transforms(f):
    """They have no parameters."""
    check_rule_in_double(f, normal(6))
    check_rule_in_double(f, normal(5, dtype=complex))


def test_far_frequencies():
    """Where functions are huge or infinite, their quotients have derivatives."""
    k, a, b = 500, 0.69, 0.7
    x = np.sin(k * np.arange(1010) * 2 * np.pi / 1010)  # of one frequency, which is multiplied by one number
    found = grad(lambda b: scipy.fftpack.cs_diff(x, a, b)[0])(b)
    with mpmath.workdps(60):
        slope = mpmath.diff(lambda b: mpmath.cosh(mpmath.mpf(a) * k) / mpmath.sinh(b * k), mpmath.mpf(b))
    np.testing.assert_allclose(found, -float(slope), rtol=1e-8)
    with np.errstate(over="ignore"):
        assert abs(grad(lambda b: scipy.fftpack.cs_diff(x, a, b)[0])(2.0)) < 1e-12


def test_the_cache_is_no_argument():
    """It may be given, and is left alone by derivatives."""
    x, cache = normal(4), {}
    y, pullback = rrule(scipy.fftpack.hilbert, x, _cache=cache)
    np.testing.assert_array_equal(y, scipy.fftpack.hilbert(x))
    assert len(pullback(y)) == 2
