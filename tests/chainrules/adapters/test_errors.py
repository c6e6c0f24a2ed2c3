"""The error of the bridges."""

from chainrules.adapters import AdapterError
from chainrules_core import ChainRulesError


def test_adapter_error():
    """It is one of the project's errors, and a `TypeError`."""
    assert issubclass(AdapterError, ChainRulesError)
    assert issubclass(AdapterError, TypeError)
