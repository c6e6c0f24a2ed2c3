"""What belongs to a namespace, and the rules of each function."""

import sys
import types

import numpy as np
import pytest

from chainrules.command_line.namespaces import (
    entries_of,
    entries_of_package,
    functions_of,
    modules_of,
    ufuncs_of_two,
)
from chainrules_core import frule, rrule, typeof_


def test_functions_of_a_module():
    """Public functions and classes, no constants, errors or modules."""
    functions = functions_of("numpy.linalg")

    assert {"cholesky", "norm"} <= set(functions)
    assert not {"LinAlgError", "linalg", "test_nothing"} & set(functions)
    assert "pi" not in functions_of("math")


def test_functions_of_a_class():
    """The functions of a class are its methods."""
    assert functions_of("numpy.ndarray")["sum"] is np.ndarray.sum


def test_methods_of_ufuncs():
    """Each ufunc of two numbers has its methods."""
    functions = functions_of("numpy.ufunc")

    assert len(functions) == 5 * len(ufuncs_of_two())
    assert functions["add.reduce"] == np.add.reduce


def test_imports_are_nobodys_functions(tmp_path, monkeypatch):
    """A module that does not say what is public has what is its own package's."""
    (tmp_path / "without_all.py").write_text("from numpy import sin, sum\ndef own(x): return x\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "without_all", raising=False)

    assert "own" in functions_of("without_all")
    assert "sum" not in functions_of("without_all")


def test_unknown():
    """No module of that name, or nothing in it."""
    with pytest.raises(ImportError):
        functions_of("no_such_module")
    with pytest.raises(AttributeError):
        functions_of("numpy.no_such_module")


@pytest.fixture
def module(monkeypatch):
    """A module with a function that has one rule, a class whose instances have one, and a bound method."""

    def forwards_only(x):
        return x

    class Functor:
        def __call__(self, x):
            return x

    class Unhashable:
        __hash__ = None

        def __call__(self):
            pass

    @frule.dispatch
    def forwards_frule(tangents, f: typeof_(forwards_only), x: float):
        return None

    @rrule.dispatch
    def functor_rrule(f: Functor, x: float):
        return None

    made = types.ModuleType("made")
    vars(made).update(forwards_only=forwards_only, Functor=Functor, unhashable=Unhashable())
    monkeypatch.setitem(sys.modules, "made", made)
    return made


def test_rules_of_each(module):
    """A function has the rules that name it; a class has the rules of its instances too."""
    entries = {entry.name: entry for entry in entries_of("made", lambda f, method: True)}

    assert [method.name for method in entries["forwards_only"].frules] == ["forwards_frule"]
    assert entries["forwards_only"].rrules == ()
    assert not entries["forwards_only"].has_both_modes
    assert [method.name for method in entries["Functor"].rrules] == ["functor_rrule"]
    assert entries["unhashable"].frules == ()


def test_some_rules_need_not_count(module):
    """The caller decides which rules count."""
    entries = entries_of("made", lambda f, method: f is not module.forwards_only)

    assert not [entry for entry in entries if entry.frules]


def test_bound_methods():
    """`np.random.normal` has the rules of the method that it binds."""
    entries = {entry.name: entry for entry in entries_of("numpy.random", lambda f, method: True)}

    assert entries["normal"].has_both_modes


def test_modules_of_a_package():
    """The public ones, in any depth, each once; those that only warn that they have moved are none."""
    modules = modules_of("scipy")

    assert modules[0] == "scipy"
    assert {"scipy.cluster.vq", "scipy.sparse.csgraph", "scipy.stats.qmc"} <= set(modules)
    assert not {"scipy.linalg.basic", "scipy._lib"} & set(modules)
    assert len(set(modules)) == len(modules)


def test_functions_of_a_package():
    """The names begin with those of the modules; what two modules offer is listed once."""
    names = [entry.name for entry in entries_of_package("scipy.cluster", lambda f, method: True)]

    assert {"vq.whiten", "hierarchy.linkage"} <= set(names)
    of_all = {entry.name for entry in entries_of_package("scipy", lambda f, method: True)}
    assert "stats.norm" in of_all
    assert "stats.distributions.norm" not in of_all


def test_distributions():
    """An object such as `norm` has the rules of its methods."""
    entries = {entry.name: entry for entry in entries_of("scipy.stats", lambda f, method: True)}

    assert entries["norm"].has_both_modes
    assert not entries["ortho_group"].rrules
