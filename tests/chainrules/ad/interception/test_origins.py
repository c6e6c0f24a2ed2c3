"""Whose code a function is."""

import functools
import types

import numpy as np
import pytest
import scipy.optimize

from chainrules.ad import TracedValue, grad
from chainrules.ad.interception.origins import Origin, origin_of, origin_of_class
from chainrules_core import Tangent, rrule
from chainrules_testutils import test_rrule as check_rrule


class Mine:
    """A class of the user's."""


@pytest.mark.parametrize(
    ("f", "origin"),
    [
        (test_origin := lambda: None, Origin.USER),
        (functools.singledispatch, Origin.LIBRARY),
        (np.fft.fftshift.__wrapped__, Origin.LIBRARY),
        (scipy.optimize.rosen, Origin.LIBRARY),
        (grad, Origin.ENGINE),
        (check_rrule, Origin.ENGINE),
        (types.FunctionType((lambda: None).__code__, {}), Origin.USER),
        (
            types.FunctionType((lambda: None).__code__, {"__name__": "chainrules_core.anything"}),
            Origin.ENGINE,
        ),
    ],
)
def test_functions(f, origin):
    """By the module, and by the file."""
    assert origin_of(f) is origin


@pytest.mark.parametrize(
    ("cls", "origin"),
    [
        (Mine, Origin.USER),
        (type("Made", (), {"__module__": 3}), Origin.USER),
        (type("Made", (), {"__module__": "gone"}), Origin.USER),
        (list, Origin.LIBRARY),
        (functools.partial, Origin.LIBRARY),
        (np.ndarray, Origin.LIBRARY),
        (np.poly1d, Origin.LIBRARY),
        (TracedValue, Origin.ENGINE),
        (Tangent, Origin.ENGINE),
        (type(rrule), Origin.ENGINE),
    ],
)
def test_classes(cls, origin):
    """By the module that defines them."""
    assert origin_of_class(cls) is origin
