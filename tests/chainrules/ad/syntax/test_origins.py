"""Whose code a function is."""

import functools
import inspect
import logging
import types
import warnings

import numpy as np
import pytest
import scipy.optimize

from chainrules.ad import TracedValue, grad
from chainrules.ad.syntax.origins import Origin, looks_at_frames, origin_of, origin_of_class
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
        (type("Ran", (), {"__module__": "__main__"}), Origin.USER),  # though pytest has run this program
    ],
)
def test_classes(cls, origin):
    """By the module that defines them."""
    assert origin_of_class(cls) is origin


def in_module(name):
    """A function of a module of that name."""
    return types.FunctionType((lambda: None).__code__, {"__name__": name})


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (inspect.stack, True),
        (logging.getLogger, True),
        (warnings.formatwarning, True),
        (in_module("_pytest.nodes"), True),
        (in_module("inspection.nodes"), False),
        (in_module("somewhere.inspect"), False),
        (in_module(3), False),
        (functools.wraps, False),
    ],
)
def test_functions_that_report_their_caller(f, expected):
    """By the package that they are of."""
    assert looks_at_frames(f) is expected
