"""The functions whose rules serve lazy arrays."""

import functools
import importlib
import math
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
from scipy import special

from chainrules.values.lazy_functions import LAZY_FUNCTIONS, refusal_of_lazy, stays_lazy
from chainrules_core import NoTangent, frule, rrule, scalar_rule, typeof_

PAGE = Path(__file__).parents[3] / "docs" / "dask.md"
PAGE_LISTS = ("numpy", "numpy.linalg", "numpy.fft", "scipy.special")


@pytest.mark.parametrize("module", LAZY_FUNCTIONS)
def test_functions_are_there(module):
    """Each name is that of a function, or of one that only other versions have; its first name is listed."""
    home = importlib.import_module(module)
    found = [getattr(home, name) for name in LAZY_FUNCTIONS[module] if hasattr(home, name)]

    assert len(found) > 0.9 * len(LAZY_FUNCTIONS[module])
    assert all(map(stays_lazy, found))


@pytest.mark.parametrize("module", PAGE_LISTS)
def test_the_page_lists_them(module):
    """The table in the documentation is this one."""
    row = re.search(rf"^\| `{re.escape(module)}` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    names = ", ".join(f"`{name}`" for name in sorted(LAZY_FUNCTIONS[module]))

    assert row, f"docs/dask.md has no row of {module}"
    assert row[1] == names


@pytest.mark.parametrize(
    "f", [np.sin, np.abs, np.max, np.linalg.norm, special.erf, abs], ids=lambda f: f.__name__
)
def test_functions_that_stay_lazy(f):
    """By their identity, whatever name they are used by."""
    assert stays_lazy(f)


@pytest.mark.parametrize(
    "f", [np.sort, math.sin, float, scipy.linalg.norm, special.chndtr], ids=lambda f: f.__name__
)
def test_other_functions_do_not(f):
    """Even if they have the name of one that does."""
    assert not stays_lazy(f)


def sin(x):
    """Be a function of somebody else's, with a name of NumPy's."""
    return np.sin(x)


scalar_rule(sin, lambda y, x: np.cos(x))


def rule_of(f, *args):
    """The rule that serves a call."""
    return rrule.find(f, *args)


def test_rules_of_this_package_are_refused():
    """Written out, made by a maker, or declared in one line."""
    for f, args in (
        (np.linalg.eigh, (np.eye(2),)),
        (np.convolve, (np.ones(2),) * 2),
        (np.argsort, (np.ones(2),)),
        (np.ndarray.tolist, (np.ones(2),)),
    ):
        reason = refusal_of_lazy(rule_of(f, *args), f)
        assert f"The rrule of {f.__qualname__} is not called with a Dask array" in reason
    assert "The frule of" in refusal_of_lazy(
        frule.find((None, None), np.linalg.eigh, np.eye(2)), np.linalg.eigh
    )


def test_refusals_name_functions_that_have_no_name():
    """By what Python prints of them."""
    f = functools.partial(np.linalg.eigh)
    assert "The rrule of functools.partial(" in refusal_of_lazy(rule_of(np.linalg.eigh, np.eye(2)), f)


def test_rules_of_functions_that_stay_lazy_are_not():
    """They are called."""
    assert refusal_of_lazy(rule_of(np.sin, np.ones(2)), np.sin) is None


def test_rules_of_others_are_not():
    """However their authors made them, and for ufuncs that are not NumPy's or SciPy's too."""
    assert refusal_of_lazy(rule_of(sin, 2.0), sin) is None
    own = np.frompyfunc(math.sin, 1, 1)
    scalar_rule(own, lambda y, x: np.cos(x))
    assert refusal_of_lazy(rule_of(own, np.ones(2)), own) is None


def cos(x):
    """Be a function with a rule that is written out."""
    return np.cos(x)


@rrule.dispatch
def cos_rrule(f: typeof_(cos), x: float):
    """Differentiate it."""
    return cos(x), lambda y_bar: (NoTangent(), -np.sin(x) * y_bar)


def test_rules_of_others_that_are_written_out_are_not():
    """They stand in modules of others."""
    assert refusal_of_lazy(rule_of(cos, 2.0), cos) is None
