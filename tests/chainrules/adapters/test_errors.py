"""The errors of the bridges."""

import sys

import pytest

import chainrules.adapters
from chainrules.adapters import AdapterError
from chainrules_core import ChainRulesError


def test_adapter_error():
    """It is one of the project's errors, and a `TypeError`."""
    assert issubclass(AdapterError, ChainRulesError)
    assert issubclass(AdapterError, TypeError)


@pytest.mark.parametrize("name", [name for name in chainrules.adapters.__all__ if "_" in name])
def test_framework_that_is_not_installed(name, monkeypatch):
    """The error names it, and says how to install it."""
    framework = name.partition("_")[2]
    for module in [key for key in sys.modules if key.startswith(f"chainrules.adapters.{framework}")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(ImportError, match=rf"`{name}` needs {framework}, .* pip install {framework}"):
        getattr(chainrules.adapters, name)


def test_unknown_name():
    """It is an `AttributeError`, so that `hasattr` answers; no framework is imported to know."""
    with pytest.raises(AttributeError, match=r"'chainrules\.adapters' has no attribute 'to_tensorflow'"):
        _ = chainrules.adapters.to_tensorflow
