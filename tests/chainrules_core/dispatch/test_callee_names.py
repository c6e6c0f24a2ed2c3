"""The names of callees, by which a ruleset says what its rules are for."""

import functools
import math
import operator
from unittest.mock import Mock

import numpy as np
import pytest

from chainrules_core import typeof_
from chainrules_core.dispatch.callee_names import class_names, name_and_module, name_of_member, package_of
from chainrules_core.dispatch.callees import callee_annotation


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (math.sin, "sin"),
        (np.exp, "exp"),
        (np.abs, "absolute"),
        (np.linalg.norm, "norm"),
        (np.ndarray.sum, "ndarray.sum"),
        (np.add.reduce, "ufunc.reduce"),
        (np.random.default_rng(0).normal, "Generator.normal"),
        (np.float64, "float64"),
    ],
)
def test_a_callee_says_its_name(f, name):
    """The name is the callee's own, under whatever alias it is reached; that of its type is the same."""
    assert name_and_module(f)[0] == name
    assert name_of_member(typeof_(f)) == name


def test_functions_say_their_modules():
    """Where a function is defined is known of most, whatever module it was imported from."""
    assert name_and_module(np.linalg.norm)[1] == "numpy.linalg"
    assert name_and_module(operator.add) == ("add", "_operator")
    assert name_and_module(np.ndarray.sum)[1] is None


def test_a_module_that_is_no_text():
    """A function whose module was overwritten does not say it."""

    def f(x): ...

    f.__module__ = 1
    assert name_and_module(f)[1] is None


def test_no_code_of_a_callable_object_runs():
    """An object that answers to every attribute is not asked for a name, and goes by that of its class."""
    mock = Mock(name="never asked")
    assert name_and_module(mock) == (None, None)
    assert "Mock()" in class_names(mock)
    assert name_of_member(typeof_(mock)) == "Mock()"


def test_an_instance_goes_by_its_classes():
    """The names of an instance are those of all classes that it derives from."""
    f = functools.partial(math.sin)
    assert class_names(f) == ["partial()", "object()"]
    assert name_and_module(f)[0] is None
    assert name_of_member(typeof_(f)) == "partial()"


def test_a_class_is_a_constructor_too():
    """A class has names as an instance of its metaclass, and as a constructor."""
    assert class_names(bool) == ["type()", "object()", "type[bool]", "type[int]", "type[object]"]


@pytest.mark.parametrize("annotation", [functools.partial, type[functools.partial]])
def test_members_that_are_classes(annotation):
    """The types that annotations with a class consist of are named so that its instances find them."""
    _, (member,) = callee_annotation(annotation)
    f = functools.partial if annotation == type[functools.partial] else functools.partial(math.sin)
    assert name_of_member(member) in class_names(f)


@pytest.mark.parametrize(
    ("module", "package"), [("numpy.linalg", "numpy"), ("_operator", "operator"), ("math", "math")]
)
def test_package(module, package):
    """The package of a module is its first component, without the underscore of CPython's own modules."""
    assert package_of(module) == package
