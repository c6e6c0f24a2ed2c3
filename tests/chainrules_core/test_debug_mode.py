"""Debug mode: who turns it on, and for whom."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from chainrules_core import debug_mode, debugging, set_debug_mode


def test_off_by_default_and_on_inside_the_block():
    """`debugging` turns debug mode on for a block, and blocks nest."""
    assert debug_mode() is False
    with debugging():
        assert debug_mode() is True
        with debugging(False):
            assert debug_mode() is False
        assert debug_mode() is True
    assert debug_mode() is False


def test_block_ends_on_an_exception():
    """A block that fails leaves debug mode as it was."""
    with pytest.raises(KeyError), debugging():
        raise KeyError
    assert debug_mode() is False


def test_block_concerns_its_thread_only():
    """`debugging` is about the calling thread, `set_debug_mode` about all."""
    with ThreadPoolExecutor(1) as pool:
        with debugging():
            assert pool.submit(debug_mode).result() is False
        set_debug_mode(True)
        try:
            assert pool.submit(debug_mode).result() is True
            with debugging(False):
                assert debug_mode() is False
        finally:
            set_debug_mode(False)


@pytest.mark.parametrize(("value", "expected"), [("1", "True"), ("0", "False"), ("", "False")])
def test_environment_variable(value, expected):
    """`CHAINRULES_DEBUG=1` turns it on when the package is imported."""
    result = subprocess.run(
        [sys.executable, "-c", "import chainrules_core; print(chainrules_core.debug_mode())"],
        env={**os.environ, "CHAINRULES_DEBUG": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == expected
