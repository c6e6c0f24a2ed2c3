"""The errors of the bridges."""

import subprocess
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
def test_framework_that_is_not_installed(name):
    """The error names it, and says how to install it."""
    framework = name.partition("_")[2]
    program = (
        f"import sys; sys.modules[{framework!r}] = None; import chainrules.adapters\n"
        f"try: chainrules.adapters.{name}\n"
        "except ImportError as error: print(error)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    expected = f"`{name}` needs {framework}, which is not installed: pip install {framework}"
    assert printed.strip() == expected


def test_unknown_name():
    """It is an `AttributeError`, so that `hasattr` answers; no framework is imported to know."""
    with pytest.raises(AttributeError, match=r"'chainrules\.adapters' has no attribute 'to_tensorflow'"):
        _ = chainrules.adapters.to_tensorflow
