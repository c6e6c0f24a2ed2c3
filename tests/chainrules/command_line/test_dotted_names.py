"""Names of callees, and callees of names."""

import fractions
import functools
import math
import operator
import random
import statistics
import sys
import types

import numpy as np
import numpy.polynomial
import pytest
import scipy.sparse
import scipy.sparse.linalg

from chainrules.command_line.dotted_names import dotted_name, names_beside, object_named
from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules_core.structured import Diagonal

NAMES = {
    "builtins.sum": sum,
    "math.sin": math.sin,
    "operator.matmul": operator.matmul,
    "functools.reduce": functools.reduce,
    "statistics.NormalDist": statistics.NormalDist,
    "random.gauss": random.gauss,
    "numpy.sin": np.sin,
    "numpy.sum": np.sum,
    "numpy.add.reduce": np.add.reduce,
    "numpy.ndarray.sum": np.ndarray.sum,
    "numpy.linalg.cholesky": np.linalg.cholesky,
    "numpy.linalg.outer": np.linalg.outer,  # which is another function than `np.outer`
    "fractions.Fraction.from_float": fractions.Fraction.from_float,  # another object at each access
    "numpy.polynomial.Polynomial": numpy.polynomial.Polynomial,
    "numpy.random.Generator.gamma": np.random.Generator.gamma,
    "scipy.sparse.csr_array": scipy.sparse.csr_array,
    "scipy.sparse.linalg.spsolve": scipy.sparse.linalg.spsolve,
    "chainrules_core.structured.Diagonal": Diagonal,
}


@pytest.mark.parametrize(("name", "f"), NAMES.items(), ids=list(NAMES))
def test_public_names(name, f):
    """A callee is named as one imports it, and the name leads back to it."""
    assert dotted_name(f) == name
    assert object_named(name) == f


def test_classmethods_of_private_modules(monkeypatch):
    """One is another object at each access, and its class may be offered where it does not say."""

    class Made:
        @classmethod
        def make(cls):
            return cls()

    Made.__module__, Made.__qualname__ = "made._private", "Made"
    Made.make.__func__.__module__, Made.make.__func__.__qualname__ = "made._private", "Made.make"
    made = types.ModuleType("made")
    made.Made = Made
    monkeypatch.setitem(sys.modules, "made", made)

    assert Made.make is not Made.make
    assert dotted_name(Made.make) == "made.Made.make"
    assert dotted_name(Made) == "made.Made"


def test_names_that_lead_nowhere():
    """A function within a function has the name that it states; an object without one its repr."""

    def inner():
        pass

    class Callable:
        def __call__(self):
            pass

        def __repr__(self):
            return "Callable()"

    assert dotted_name(inner).endswith("<locals>.inner")
    inner.__module__ = "no_such.module._private"
    assert dotted_name(inner) == f"no_such.module._private.{inner.__qualname__}"
    assert dotted_name(Callable()) == "Callable()"


@pytest.mark.parametrize(
    ("name", "f"),
    [("where", np.where), ("ndarray", np.ndarray), ("np.sin", np.sin), ("Diagonal", Diagonal), ("sum", sum)],
)
def test_names_without_their_module(name, f):
    """Names of Python, NumPy and matrices need no module."""
    assert object_named(name) is f


def test_nothing_of_that_name():
    """What is near is suggested: in the module that is named, among the well-known, among the known."""
    with pytest.raises(NothingFoundError, match=r"Did you mean numpy\.where"):
        object_named("numpy.wher")
    with pytest.raises(NothingFoundError, match="Did you mean float"):
        object_named("float3")
    with pytest.raises(NothingFoundError, match=r"Did you mean mine\.softplus"):
        object_named("softplus", ("mine.softplus",))
    with pytest.raises(NothingFoundError, match=r"named 'a\.b'\.$"):
        object_named("a.b")


def test_names_beside():
    """Only public names are suggested."""
    beside = list(names_beside("math.no_such_name"))

    assert "math.sin" in beside
    assert not [name for name in beside if "._" in name]
