"""The dotted names by which counterparts are found."""

import cmath
import math
import operator

import numpy as np
import pytest
import scipy.linalg
import scipy.special

from chainrules_core import primitive
from chainrules_testutils.oracles.names import OF_ANY_ARRAY, found_in, public_name, resolved

NAMES = {
    "builtins.abs": abs,
    "math.sin": math.sin,
    "numpy.sum": np.sum,
    "numpy.add": np.add,
    "numpy.linalg.svd": np.linalg.svd,
    "numpy.ndarray.sum": np.ndarray.sum,
    "operator.add": operator.add,
    "scipy.linalg.solve": scipy.linalg.solve,
    "scipy.special.gammaln": scipy.special.gammaln,
    "scipy.special.logsumexp": scipy.special.logsumexp,
}


@pytest.mark.parametrize("name", NAMES)
def test_public_names(name):
    """The name is the one that users write, without private modules; it leads back to the function."""
    assert public_name(NAMES[name]) == name
    assert resolved(name) is NAMES[name]


def test_name_of_a_primitive():
    """A primitive is called as its function is."""
    assert public_name(primitive(np.sin)) == "numpy.sin"


@pytest.mark.parametrize("name", ["numpy.no_such_name", "no_such_module.f", "numpy.no.such.name"])
def test_unknown_names(name):
    """Nothing stands behind them."""
    assert resolved(name) is None


def test_attribute_that_is_none(monkeypatch):
    """Some modules have `None` in the place of what another system has."""
    monkeypatch.setattr(math, "nothing", None, raising=False)
    assert resolved("math.nothing") is None


def test_submodules_are_imported():
    """A name leads through modules that nobody has imported yet."""
    assert resolved("xml.dom.minidom.parseString").__name__ == "parseString"


def test_a_function_in_a_submodule_that_is_not_imported(tmp_path, monkeypatch):
    """What is imported is the submodule, and not the function, which is no module."""
    (tmp_path / "parcel").mkdir()
    (tmp_path / "parcel" / "__init__.py").touch()
    (tmp_path / "parcel" / "inner.py").write_text("def function(): ...\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert resolved("parcel.inner.function").__name__ == "function"


def test_homes():
    """Those of a module are asked in order; a module that has none of its own shares those of its package."""
    homes = {"numpy": ("cmath", "math"), "numpy.linalg": ("operator",)}

    assert found_in(homes, "numpy.sin") is cmath.sin
    assert found_in(homes, "numpy.floor") is math.floor
    assert found_in(homes, "numpy.linalg.matmul") is operator.matmul
    assert found_in({"xml": ("xml",)}, "xml.dom.minidom.parseString") is resolved(
        "xml.dom.minidom.parseString"
    )
    assert found_in(homes, "numpy.linalg.sin") is found_in(homes, "scipy.sin") is None


@pytest.mark.parametrize("name", sorted(OF_ANY_ARRAY))
def test_functions_of_any_array(name):
    """They exist."""
    assert callable(resolved(name))
