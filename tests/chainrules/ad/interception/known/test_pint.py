"""Registries of units are not searched for traced values, but for what stands in their contexts."""

import functools
import sys

import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing import entering
from chainrules.ad.interception.choosing.entering import is_any_to_be_followed


class Registry:
    """A registry of pint, which need not be installed."""

    __module__ = "pint.registry"
    __qualname__ = "UnitRegistry"
    _active_ctx = None

    def __init__(self):
        self._units = {name: (name, name) for name in range(1000)}


class ApplicationRegistry:
    """One that stands for another."""

    __module__ = "pint.registry"

    def __init__(self, registry):
        self._registry = registry


BuiltRegistry = type("BuiltRegistry", (Registry,), {"__module__": "functools"})


@pytest.fixture(autouse=True)
def _in_a_library(monkeypatch):
    """The module is one of a library, whose objects are searched."""
    monkeypatch.setitem(sys.modules, "pint.registry", functools)


@pytest.mark.parametrize("cls", [Registry, BuiltRegistry])
def test_registries_are_not_searched(cls, monkeypatch):
    """Each method of a registry is given it, with thousands of units."""
    monkeypatch.setattr(entering, "contains_carrier", lambda x: pytest.fail(f"{x} is searched"))
    registry = cls()

    assert not is_any_to_be_followed((registry, 1.0))
    assert not is_any_to_be_followed((ApplicationRegistry(registry), "m"))


def test_traced_values_in_contexts_are_found():
    """A context has parameters of the user's, which may be traced."""
    registry = Registry()
    found = []

    def with_context(x):
        registry._active_ctx = [{"n": x}]
        found.extend(is_any_to_be_followed((y,)) for y in (registry, ApplicationRegistry(registry)))
        return x

    grad(with_context)(2.0)
    assert found == [True, True]
    registry._active_ctx = [{"n": 2.0}]
    assert not is_any_to_be_followed((registry,))
