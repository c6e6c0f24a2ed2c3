"""The rules of convolutions and correlations, against finite differences."""

import numpy as np
import pytest
from scipy import signal

from chainrules.ad import grad
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_declared, check_quickly, check_rule, normal

BY_METHOD = (signal.convolve, signal.correlate)
BY_AXES = (signal.fftconvolve, signal.oaconvolve)
MODES = ("full", "same", "valid")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("method", ["direct", "fft"])
@pytest.mark.parametrize("f", BY_METHOD)
def test_methods(f, method, mode):
    """Either may be the longer one, of even and odd lengths, real and complex, with any number of axes."""
    check_quickly(f, normal(5), normal(2, seed=1, dtype=complex), mode, method=method)
    check_quickly(f, normal(2, dtype=complex), normal(5, seed=1), mode, method)
    check_quickly(f, normal(4, 3, dtype=complex), normal(2, 2, seed=1, dtype=complex), mode, method)
    check_quickly(f, np.array(0.3 + 1j), np.array(2.0 - 1j), mode, method)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", BY_METHOD)
def test_in_every_way(f, mode):
    """In both precisions, with gaps, and differentiated twice."""
    check_rule(f, normal(3, 4), normal(3, 2, seed=1), mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", BY_AXES)
def test_axes(f, mode):
    """The arrays are broadcast along the other axes, and may have a single element along any."""
    for axes, second in ((None, (2, 1, 2)), (1, (1, 2, 4)), ((-1, 0), (2, 1, 3)), ([2], (1, 1, 2))):
        check_quickly(f, normal(2, 3, 4), normal(*second, seed=1, dtype=complex), mode, axes=axes)
    check_quickly(f, normal(1, 5), normal(3, 2, seed=1), mode, axes=1)
    check_quickly(f, normal(3, 2), normal(1, 5, seed=1), mode, axes=1)
    check_rule(f, normal(9, 2), normal(2, 2, seed=1), mode, (0,))


@pytest.mark.parametrize("f", BY_METHOD + BY_AXES)
def test_lists(f):
    """What SciPy takes for an array has a cotangent of its own kind."""
    for args in ((normal(4), [0.3, -1.2]), ([1.0, 0.5, 0.2], normal(2)), ([[1.0, 2.0]], [[0.5], [0.2]])):
        test_frule(f, *args)
        test_rrule(f, *args)
    program = grad(lambda x: np.sum(f(x, [x[0], 1.0, 2.0]) ** 2))
    x = normal(4)
    expected = grad(lambda x: np.sum(f(x, np.stack([x[0], 1.0, 2.0])) ** 2))(x)
    np.testing.assert_allclose(program(x), expected)


@pytest.mark.parametrize("f", BY_AXES)
def test_nothing(f):
    """SciPy returns nothing for nothing."""
    test_rrule(f, normal(0), normal(3))
    test_frule(f, normal(0), normal(3))


def test_what_has_no_derivative():
    """The name of a method, and integers."""
    check_declared(signal.choose_conv_method, normal(3), normal(3))
    check_declared(signal.correlation_lags, 3, 4)
