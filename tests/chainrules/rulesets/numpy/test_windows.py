"""The rules of window functions, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule


@pytest.mark.parametrize("f", [np.bartlett, np.blackman, np.hamming, np.hanning])
def test_windows_without_parameters(f):
    """They depend on an integer; a length that is none has no rule."""
    test_frule(f, 1)
    test_rrule(f, 1)
    w, pullback = rrule(f, 4)

    np.testing.assert_array_equal(w, f(4))
    assert pullback(w) == (NoTangent(), NoTangent())
    assert rrule(f, 4.5) is None


@pytest.mark.parametrize("M", [0, 1, 2, 5, 6])
@pytest.mark.parametrize("beta", [0.5, 8.6, np.float64(14.0), 0.0])
def test_kaiser(M, beta):
    """Smooth by its shape, also where it is the constant window."""
    check_rule(np.kaiser, M, beta)


def test_kaiser_by_a_0d_array():
    """As by a number."""
    check_rule(np.kaiser, 5, np.array(2.5))
    check_rule(np.kaiser, 5, np.float32(2.5))


def test_kaiser_of_a_constant_shape():
    """A zero tangent stays one."""
    assert frule((NoTangent(), NoTangent(), ZeroTangent()), np.kaiser, 5, 2.5)[1] == ZeroTangent()
