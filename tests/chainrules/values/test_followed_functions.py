"""The names of functions that are followed: those by which their rules are looked up."""

import importlib
import subprocess
import sys

import numpy as np
import pytest
from scipy import interpolate, linalg, signal, stats

from chainrules.values.followed_functions import FOLLOWED, callee_names, followed_in, is_followed
from chainrules_core import frule, rrule, typeof_
from chainrules_core.dispatch.callee_names import name_of_member


@pytest.mark.parametrize("module", FOLLOWED)
def test_names_are_found(module):
    """Each callee is looked up by a name by which its rules are found, in every version of SciPy."""
    importlib.import_module(module)
    for f in followed_in(module):
        assert name_of_member(typeof_(f)) in callee_names(module)
        assert is_followed(f)
        assert frule.methods(f)
        assert rrule.methods(f)


def test_what_is_followed():
    """Functions, classes and their instances; not what has the same name, or other rules."""
    spline = interpolate.CubicSpline(np.arange(4.0), np.arange(4.0))
    assert all(map(is_followed, (signal.hilbert, interpolate.PPoly, spline, interpolate.PPoly.integrate)))
    assert not any(map(is_followed, (linalg.hilbert, signal.lfilter, stats.norm, np.median, "x", None)))


def test_no_other_rules():
    """The engine asks for no rule of these: there are none that it would need."""
    others = [f for f in rrule.callees() if is_followed(f)]
    methods = {method for f in others for method in rrule.methods(f)}
    assert {method.function.__module__ for method in methods} <= {"chainrules.ad.derivatives.following"} | {
        name for name in sys.modules if name.startswith("tests.")
    }


def test_nothing_is_imported():
    """A lookup imports neither the engine nor a part of SciPy that has a function of the same name."""
    program = (
        "import sys, numpy as np, scipy.linalg, scipy.constants, chainrules\n"
        "from chainrules_core import rrule\n"
        "rrule(np.median, np.ones(3)), rrule(scipy.linalg.inv, np.eye(2))\n"
        "assert not {'scipy.stats', 'scipy.signal', 'chainrules.ad'} & set(sys.modules)\n"
        "assert rrule(scipy.constants.lambda2nu, 1.0)[0] == scipy.constants.c\n"
        "assert not {'scipy.stats', 'scipy.signal'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
