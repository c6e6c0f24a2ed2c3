"""Rounding."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule

ROUNDINGS = [np.round, np.around, np.rint, np.floor, np.ceil, np.trunc]


@pytest.mark.parametrize("x", [1.3, np.array(0.7), np.array([[-1.7, 0.2, 2.6]]), np.zeros(0)])
@pytest.mark.parametrize("f", ROUNDINGS, ids=lambda f: f.__name__)
def test_constant_between_jumps(f, x):
    """On numbers away from integers and from the halves between them."""
    test_frule(f, x)
    test_rrule(f, x)


@pytest.mark.parametrize("f", ROUNDINGS, ids=lambda f: f.__name__)
def test_jumps(f):
    """Zero there too: neither infinite nor NaN."""
    assert rrule(f, np.array([0.5, 1.0]))[1](np.ones(2)) == (NoTangent(), NoTangent())
    assert frule((NoTangent(), np.ones(2)), f, np.array([0.5, 1.0]))[1] == NoTangent()


def test_decimals():
    """Rounding to decimals, by position and by keyword."""
    test_rrule(np.round, np.array([1.234, -0.777]), 1)
    test_frule(np.round, np.array([1.234, -0.777]), fkwargs={"decimals": 2})


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")
def test_a_deprecated_name():
    """With NumPy's warning since 2.5, and no derivative as before."""
    test_frule(np.fix, np.array([-1.7, 0.2]))
    test_rrule(np.fix, np.array([-1.7, 0.2]))
